-- A restore of pg_dump creates the tables with an empty search_path: the function of the generated column settlement.slot_sums must find its type.
alter function slot_sums_of(jsonb) set search_path = public;
