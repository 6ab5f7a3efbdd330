-- A bid is for one product and one period that its results are published for: a market both ways has two products, and slot 02 of the day in
-- October two hours. Nothing was ever written to the table before.
drop table bid;
create table bid (
  customer_id uuid not null references customer,
  instance_id uuid not null,
  market text not null,
  -- As its prices are published: 'aFRR-INC' and 'aFRR-DEC' of a bid on aFRR; the market itself where none are.
  product text not null,
  -- As its results are published: 'D-1 early', 'D-1 late', or '' for the only one.
  auction text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The local day of delivery and its slot, from 0.
  day date not null,
  slot smallint not null,
  request_id uuid not null,
  capacity_mw numeric(9, 3) not null check (capacity_mw > 0),
  price_eur numeric(12, 2) not null,
  regulation_price_eur numeric(12, 2),
  sent_at timestamptz not null,
  -- Null until it is known.
  won boolean,
  -- What was won of it; less than the capacity where the operator says so.
  won_mw numeric(9, 3),
  marginal_price_eur numeric(16, 6),
  decided_at timestamptz,
  -- price: by the published price; result-file: by the grid operator's own word.
  decided_by text check (decided_by in ('price', 'result-file')),
  primary key (customer_id, instance_id, product, auction, starts_at),
  foreign key (customer_id, request_id) references bid_request,
  foreign key (customer_id, instance_id) references instance,
  check (ends_at > starts_at)
);
create index bid_of_request on bid (customer_id, request_id);
create index bid_undecided on bid (product, starts_at) where won is null;
call scope_by_customer('bid');
create index bid_of_file on bid (customer_id, market, day, auction);

-- When the subscribers were told what became of its bids; the results of old days tell nobody.
alter table bid_file add column results_told_at timestamptz;
create index bid_file_not_told on bid_file (sent_at) where results_told_at is null;
