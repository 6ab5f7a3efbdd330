-- Activations: found in what the instances measure, with what their edges reported attached. A row is a function of the stored samples and may
-- be written again; its id says instance, market and start. Who was told of it is kept when it moves.
create table event (
  customer_id uuid not null references customer,
  event_id uuid not null,
  instance_id uuid not null,
  market text not null,
  event_type text not null check (event_type in ('fcr_based', 'frr_based')),
  -- telemetry, or edge: reported by the edge without telemetry of it.
  source text not null check (source in ('telemetry', 'edge')),
  direction text not null check (direction in ('increased', 'decreased')),
  started_at timestamptz not null,
  -- Null while it runs.
  ended_at timestamptz,
  duration_s double precision generated always as (extract(epoch from ended_at - started_at)::double precision) stored,
  delta_load double precision,
  processed_delta_load double precision,
  extreme_hz double precision,
  max_set_point double precision,
  consumption_kwh double precision,
  consumption_estimated boolean not null default false,
  capacity_kw double precision not null,
  capacity_source text not null check (capacity_source in ('registered', 'sold')),
  score double precision,
  verdict text,
  -- The score with its parts, without its curves.
  outcome jsonb,
  -- Samples up to here change it: later than the end where quarters of an hour are judged. Null while it runs.
  judged_until timestamptz,
  -- All samples that it is judged by have come.
  is_final boolean not null,
  edge_event_id uuid,
  -- Its samples came more than 15 minutes after it: no mail, no webhook.
  late boolean not null,
  told_at timestamptz,
  primary key (customer_id, event_id),
  foreign key (customer_id, instance_id) references instance,
  foreign key (customer_id, edge_event_id) references edge_event
);
create index event_newest on event (customer_id, started_at desc, event_id);
create index event_of_instance on event (customer_id, instance_id, market, started_at desc, event_id);
create index event_not_final on event (customer_id, instance_id, market) where not is_final;
call scope_by_customer('event');

create index edge_event_received on edge_event (received_at);

-- All that samples up to this version of the readings show is in event; one row for each process that takes them from a broker.
create table event_progress (
  client text primary key,
  version bigint not null
);
grant select, insert, update on event_progress to gridmast_system;
