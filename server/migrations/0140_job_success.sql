-- The end of the last successful run: monitoring sees a job that never succeeds.
alter table job add column succeeded_at timestamptz;
