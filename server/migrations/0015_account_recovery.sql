-- A change of e-mail waits for a code sent to the new address and can be undone from the old one; a pending second factor has an end.
-- `detail` is what a code is about: the address to be, the address to go back to, or who asked for a reset.
alter table one_time_code add column detail text;
alter table one_time_code drop constraint one_time_code_purpose_check;
alter table one_time_code add constraint one_time_code_purpose_check
  check (purpose in ('reset', 'login-link', 'challenge', 'recovery', 'handoff', 'email', 'email-undo'));
alter table app_user add column totp_pending_at timestamptz;
