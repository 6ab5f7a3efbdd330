-- Scheduled jobs: which are due, and which process runs them. Replaces the queue in the schema jobs.
drop schema if exists jobs cascade;
create table job (
  name text primary key,
  due boolean not null default false,
  scheduled_at timestamptz, -- the last minute of its schedule that made it due
  runner uuid, -- the process that runs it
  heartbeat_at timestamptz,
  failures integer not null default 0,
  retry_at timestamptz
);
grant select, insert, update, delete on job to gridmast_system;
