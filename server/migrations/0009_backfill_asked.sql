-- What an operator asks for is fetched before the rest of the list.
alter table backfill_month add column asked_at timestamptz;
