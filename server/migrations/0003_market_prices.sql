-- Published prices with their revisions, exchange rates, and what each connector last did. Public data: no tenant.
create table market_price (
  market text not null,
  area text not null,
  product text not null default '',
  auction text not null default '',
  starts_at timestamptz not null,
  duration_s integer not null check (duration_s > 0),
  price_eur numeric(14, 6),
  price_dkk numeric(14, 6),
  unit text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market, area, product, auction, starts_at)
);

create table market_price_revision (
  market text not null,
  area text not null,
  product text not null,
  auction text not null,
  starts_at timestamptz not null,
  replaced_at timestamptz not null,
  price_eur numeric(14, 6),
  price_dkk numeric(14, 6),
  fetched_at timestamptz not null,
  primary key (market, area, product, auction, starts_at, replaced_at)
);

create table exchange_rate (
  currency text not null,
  day date not null,
  dkk_per_unit numeric(14, 6) not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (currency, day)
);

create table connector_state (
  source text not null,
  dataset text not null,
  last_request_at timestamptz,
  not_before timestamptz,
  failures integer not null default 0,
  last_success_at timestamptz,
  covered_until timestamptz,
  simulated boolean not null default false,
  last_error text,
  primary key (source, dataset)
);

create table connector_run (
  run_id uuid primary key,
  source text not null,
  dataset text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  http_status integer,
  url text not null,
  row_count integer not null,
  changed_count integer not null,
  warnings text[] not null default '{}',
  error text
);
create index connector_run_recent on connector_run (source, dataset, started_at desc);

grant select on market_price, market_price_revision, exchange_rate, connector_state, connector_run to gridmast_tenant;
grant select, insert, update, delete on market_price, market_price_revision, exchange_rate, connector_state, connector_run to gridmast_system;
