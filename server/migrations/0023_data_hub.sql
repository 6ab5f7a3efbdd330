-- The data hub: keys (CVR numbers) with their meters, readings by local day with their revisions, what of the past is still to be
-- fetched, and the tokens of Eloverblik.

-- A power of attorney is given to the operator, not to a customer of it: whose CVR numbers a customer may add is the operator's word.
alter table customer add column cvrs text[] not null default '{}';

create table meter_group (
  customer_id uuid not null references customer,
  group_id uuid not null,
  cvr text not null check (cvr ~ '^[0-9]{8}$'),
  name text,
  created_at timestamptz not null,
  primary key (customer_id, group_id),
  unique (customer_id, cvr)
);
call scope_by_customer('meter_group');

create table meter (
  customer_id uuid not null,
  meter_id uuid not null,
  group_id uuid not null,
  metering_point_id text not null check (metering_point_id ~ '^[0-9]{18}$'),
  name text not null,
  address text not null default '',
  -- By the postcode: 1000-4999 DK2, else DK1. What a meter costs goes by the area of its price signal.
  area text check (area in ('DK1', 'DK2')),
  price_signal_id uuid,
  tax_dkk_per_mwh numeric(14, 6) check (tax_dkk_per_mwh >= 0),
  tariff_gln text,
  tariff_code text,
  enabled boolean not null default false,
  grid_company_gln text,
  grid_company text,
  details_at timestamptz,
  -- Local days that the power of attorney covers, [access_from, access_to).
  access_from date,
  access_to date,
  step_s integer check (step_s in (900, 3600)),
  last_read_at timestamptz,
  -- The sync (07:30 or 14:00) that it was last asked in.
  synced_for timestamptz,
  -- A bundle that is under way; one that died with its process is free again after this.
  claimed_until timestamptz,
  last_error text,
  added_at timestamptz not null,
  primary key (customer_id, meter_id),
  unique (customer_id, metering_point_id),
  foreign key (customer_id, group_id) references meter_group on delete cascade,
  -- A signal that provisioning removes leaves the meter unconfigured.
  foreign key (customer_id, price_signal_id) references price_signal on delete set null (price_signal_id),
  check ((tariff_gln is null) = (tariff_code is null))
);
create index meter_of_group on meter (customer_id, group_id);
call scope_by_customer('meter');

-- Readings of one local day: 92, 96 or 100 quarters, 23 to 25 hours. Whole Wh, null where there is none; a letter of quality for each.
create table meter_day (
  customer_id uuid not null,
  meter_id uuid not null,
  day date not null,
  version integer not null default 1,
  step_s integer not null check (step_s in (900, 3600)),
  wh integer[] not null,
  quality text not null,
  fetched_at timestamptz not null,
  primary key (customer_id, meter_id, day),
  foreign key (customer_id, meter_id) references meter on delete cascade,
  check (cardinality(wh) = length(quality))
);
call scope_by_customer('meter_day');

-- What a day said before the source changed it.
create table meter_day_revision (
  customer_id uuid not null,
  meter_id uuid not null,
  day date not null,
  version integer not null,
  step_s integer not null,
  wh integer[] not null,
  quality text not null,
  fetched_at timestamptz not null,
  replaced_at timestamptz not null,
  -- A value that was known changed; else values were only added.
  corrected boolean not null,
  primary key (customer_id, meter_id, day, version),
  foreign key (customer_id, meter_id) references meter on delete cascade
);
call scope_by_customer('meter_day_revision');

-- One row for each meter and local month of the past that is to be fetched or has been.
create table meter_month (
  customer_id uuid not null,
  meter_id uuid not null,
  month text not null check (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  finished_at timestamptz,
  row_count integer,
  failures integer not null default 0,
  not_before timestamptz,
  last_error text,
  primary key (customer_id, meter_id, month),
  foreign key (customer_id, meter_id) references meter on delete cascade
);
create index meter_month_waiting on meter_month (month desc) where finished_at is null;
call scope_by_customer('meter_month');

-- The operator's refresh token, sealed, and the access token made of it, which all processes share.
create table connector_token (
  source text primary key,
  refresh_sealed bytea not null,
  refresh_sha256 bytea not null,
  expires_at timestamptz,
  access_sealed bytea,
  access_until timestamptz,
  -- The operator has been told this many days before the end.
  warned_days integer
);
grant select, insert, update, delete on connector_token to gridmast_system;
