-- What edges report beside samples: market activations as they saw them, and the commands their devices carried out.
-- Sent again after a lost acknowledgement, a message ends in the same row.
create table edge_event (
  customer_id uuid not null references customer,
  event_id uuid not null,
  instance_id uuid not null,
  market text not null,
  direction text not null check (direction in ('increased', 'decreased')),
  started_at timestamptz not null,
  ended_at timestamptz,
  max_set_point numeric(6, 2),
  external_frequency_hz numeric(8, 4),
  received_at timestamptz not null,
  primary key (customer_id, event_id),
  foreign key (customer_id, instance_id) references instance
);
create index edge_event_by_instance on edge_event (customer_id, instance_id, started_at);
call scope_by_customer('edge_event');

create table command_log (
  customer_id uuid not null references customer,
  instance_id uuid not null,
  at timestamptz not null,
  device_id text not null,
  command text not null,
  primary key (customer_id, instance_id, at, device_id, command),
  foreign key (customer_id, instance_id) references instance
);
call scope_by_customer('command_log');
