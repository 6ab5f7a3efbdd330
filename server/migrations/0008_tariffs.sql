-- Tariffs of grid companies and of Energinet, as DatahubPricelist publishes them: what electricity costs beside its price.
-- A row is one validity; where two overlap the latest valid_from counts. Public data: no tenant.
create table tariff (
  owner_gln text not null,
  owner_name text not null,
  charge_type text not null,
  code text not null,
  name text not null default '',
  -- Local days, [valid_from, valid_to).
  valid_from date not null,
  valid_to date,
  resolution text not null,
  -- DKK/kWh without VAT for the 24 local hours, 00-01 first.
  prices numeric(12, 6)[] not null check (array_length(prices, 1) = 24),
  source text not null,
  fetched_at timestamptz not null,
  primary key (owner_gln, charge_type, code, valid_from)
);

grant select on tariff to gridmast_tenant;
grant select, insert, update, delete on tariff to gridmast_system;
