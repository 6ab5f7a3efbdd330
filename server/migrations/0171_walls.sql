-- A session of a wall screen has a name in the list of sessions and only reads what the screen shows.
-- Its link is kept as the other one-time codes are; `detail` is the name.
alter table user_session add column wall_name text;
alter table one_time_code drop constraint one_time_code_purpose_check;
alter table one_time_code add constraint one_time_code_purpose_check
  check (purpose in ('reset', 'login-link', 'challenge', 'recovery', 'handoff', 'email', 'email-undo', 'file', 'wall'));
