-- Market data beside prices: volumes of auctions, public measured series (CO2, grid frequency) whose samples stand in the readings
-- store, and how far a backfill has come.
alter table market_price add column volume_mw numeric(14, 3);

-- A public series of one area. It takes its number from the same sequence as the customers' signals, so that the readings store
-- needs no second kind of key.
create table public_signal (
  area text not null,
  kind text not null check (kind in ('co2', 'co2Prognosis', 'frequency')),
  no integer not null unique default nextval(pg_get_serial_sequence('signal', 'no')),
  unit text not null,
  source text not null,
  dataset text not null,
  last_reported_at timestamptz,
  primary key (area, kind)
);

-- One row for each dataset and local month that a backfill is to fetch or has fetched.
create table backfill_month (
  source text not null,
  dataset text not null,
  month text not null check (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  row_count integer,
  finished_at timestamptz,
  last_error text,
  primary key (source, dataset, month)
);

grant select on public_signal, backfill_month to gridmast_tenant;
grant select, insert, update, delete on public_signal, backfill_month to gridmast_system;
grant usage on sequence signal_no_seq to gridmast_system;
