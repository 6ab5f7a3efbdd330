-- Licences, edges, instances and the signals they measure; frequency and price signals a customer sees.
-- signal.no is the small number that the readings store uses for a series.
create table licence (
  customer_id uuid not null references customer,
  licence_id uuid not null,
  type text not null,
  name text not null,
  icon text not null,
  enabled boolean not null,
  settings jsonb not null default '{}',
  primary key (customer_id, licence_id),
  unique (customer_id, type)
);
call scope_by_customer('licence');

create table edge (
  customer_id uuid not null references customer,
  edge_id uuid not null,
  key text not null unique,
  name text not null,
  site text,
  area text,
  password_hash text not null,
  code_version text,
  enabled boolean not null default true,
  online boolean,
  last_reported_at timestamptz,
  primary key (customer_id, edge_id)
);
call scope_by_customer('edge');

create table instance (
  customer_id uuid not null references customer,
  instance_id uuid not null,
  key text not null,
  name text not null,
  description text not null default '',
  licence_id uuid not null,
  edge_id uuid not null,
  markets text[] not null,
  area text,
  kind text not null,
  flexible_kw numeric(12, 3) not null,
  bid_active boolean not null,
  position integer not null,
  enabled boolean not null,
  properties jsonb not null default '{}',
  primary key (customer_id, instance_id),
  unique (customer_id, key),
  foreign key (customer_id, licence_id) references licence,
  foreign key (customer_id, edge_id) references edge
);
call scope_by_customer('instance');

create table signal (
  customer_id uuid not null references customer,
  signal_id uuid not null,
  no integer generated always as identity unique,
  instance_id uuid not null,
  kind text not null check (kind in ('frequency', 'power', 'setPoint', 'capacityUp', 'capacityDown', 'soc', 'energy')),
  unit text not null,
  primary key (customer_id, signal_id),
  unique (customer_id, instance_id, kind),
  foreign key (customer_id, instance_id) references instance
);
call scope_by_customer('signal');

create table frequency_signal (
  customer_id uuid not null references customer,
  frequency_id uuid not null,
  key text not null,
  name text not null,
  area text not null,
  signal_id uuid not null,
  position integer not null,
  primary key (customer_id, frequency_id),
  unique (customer_id, key),
  foreign key (customer_id, signal_id) references signal
);
call scope_by_customer('frequency_signal');

create table price_signal (
  customer_id uuid not null references customer,
  price_signal_id uuid not null,
  key text not null,
  name text not null,
  area text not null,
  tax_dkk_per_mwh numeric(14, 6) not null check (tax_dkk_per_mwh >= 0),
  position integer not null,
  primary key (customer_id, price_signal_id),
  unique (customer_id, key)
);
call scope_by_customer('price_signal');
