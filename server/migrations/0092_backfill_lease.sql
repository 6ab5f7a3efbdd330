-- A month of history that is being read: under load it takes minutes, and a second run must not request it meanwhile.

alter table backfill_month add column leased_until timestamptz;
