-- What the grid operator's result files said of bids, and what stood there before: the later file wins, the history stays.
-- The same file is taken once.
create table bid_result_file (
  customer_id uuid not null references customer,
  file_id uuid not null,
  name text not null,
  sha256 bytea not null,
  taken_at timestamptz not null,
  taken_by text not null,
  -- {"wonMw": "Accepted (MW)"}: the next file is read alike.
  columns jsonb not null,
  -- Bids that it names; those of them that it changed; those that the published price speaks against.
  bids integer not null,
  changed integer not null,
  contradictions integer not null,
  primary key (customer_id, file_id),
  unique (customer_id, sha256)
);
create index bid_result_file_newest on bid_result_file (customer_id, taken_at desc);
call scope_by_customer('bid_result_file');

create table bid_result (
  customer_id uuid not null references customer,
  file_id uuid not null,
  instance_id uuid not null,
  product text not null,
  auction text not null,
  starts_at timestamptz not null,
  won boolean not null,
  won_mw numeric(9, 3),
  marginal_price_eur numeric(16, 6),
  won_before boolean,
  won_mw_before numeric(9, 3),
  marginal_price_eur_before numeric(16, 6),
  decided_by_before text,
  primary key (customer_id, file_id, instance_id, product, auction, starts_at),
  foreign key (customer_id, file_id) references bid_result_file,
  foreign key (customer_id, instance_id, product, auction, starts_at) references bid
);
create index bid_result_of_bid on bid_result (customer_id, instance_id, product, auction, starts_at);
call scope_by_customer('bid_result');

-- Whom a correction concerns, once the results were told; null tells of all.
alter table bid_file add column tell_instances uuid[];
