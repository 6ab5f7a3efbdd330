-- What each edge is told of what is sold: published as a retained message, a version for each change.
create table edge_config (
  customer_id uuid not null references customer,
  edge_id uuid not null,
  version integer not null check (version > 0),
  -- The groups of the message, as they were sent.
  groups jsonb not null,
  changed_at timestamptz not null,
  primary key (customer_id, edge_id),
  foreign key (customer_id, edge_id) references edge
);
call scope_by_customer('edge_config');
create trigger tell_edge_config after insert or update on edge_config for each row execute function tell_change('edge-config', 'edge_id');
-- Sold slots of a day, over all customers and of one market.
create index bid_won on bid (ends_at) where won;
