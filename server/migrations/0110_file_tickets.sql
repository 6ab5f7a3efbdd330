-- A link of the browser downloads a file with a one-time ticket, kept as the other one-time codes are.
-- `detail` states the session that it is bound to, the address of the file and the body of the call.
alter table one_time_code drop constraint one_time_code_purpose_check;
alter table one_time_code add constraint one_time_code_purpose_check
  check (purpose in ('reset', 'login-link', 'challenge', 'recovery', 'handoff', 'email', 'email-undo', 'file'));
