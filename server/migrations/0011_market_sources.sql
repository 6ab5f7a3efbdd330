-- Where the data of a source ends is read from the data itself, for each area; a price says whether it was simulated; a month that
-- failed waits by itself and not the source; the day on which a source refused requests that filter.
alter table connector_state drop column covered_until;
alter table connector_state add column filter_refused_at timestamptz;
alter table backfill_month add column failures integer not null default 0;
alter table backfill_month add column not_before timestamptz;
-- What a failed month left behind on its source.
update connector_state set last_error = null, failures = 0, not_before = null;

-- A store was filled by one kind of source so far: the default marks all rows at once.
do $$ begin
  execute format(
    'alter table market_price add column simulated boolean not null default %L',
    exists (select from connector_state where simulated));
end $$;
alter table market_price alter column simulated set default false;
