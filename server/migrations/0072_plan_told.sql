-- When whoever asked for a followed plan was told that it could not be made again: tries that follow say nothing new.
alter table load_plan add column told_at timestamptz;
