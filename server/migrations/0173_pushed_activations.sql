-- When the start of an activation was sent to devices.
alter table event add column pushed_at timestamptz;
