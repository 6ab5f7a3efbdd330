-- Bid requests, the bids that were made of them for each auction, and when bids must be with the grid operator.
-- A request is frozen when its first day is sent; what became of it stands on its bids.
create table bid_request (
  customer_id uuid not null references customer,
  request_id uuid not null,
  licence_id uuid not null,
  instance_id uuid not null,
  market text not null,
  start_date date not null,
  end_date date not null,
  custom_bidding boolean not null,
  -- One entry a slot; empty where the contract's price and capacity are bid.
  capacity_mw numeric(9, 3)[] not null,
  price_eur numeric(12, 2)[] not null,
  -- Null where the market has no price of energy.
  regulation_price_eur numeric(12, 2)[],
  -- [{"date": "2026-12-24", "reason": "..."}]
  excluded_days jsonb not null,
  note text not null,
  status text not null check (status in ('pending', 'placed', 'withdrawn')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  placed_at timestamptz,
  primary key (customer_id, request_id),
  foreign key (customer_id, licence_id) references licence,
  foreign key (customer_id, instance_id) references instance,
  check (end_date >= start_date)
);
create index bid_request_newest on bid_request (customer_id, created_at desc, request_id);
create index bid_request_of_instance on bid_request (customer_id, instance_id, market, end_date) where status <> 'withdrawn';
-- What may have to be sent: looked for at each cut-off, over all customers.
create index bid_request_open on bid_request (market, end_date) where status <> 'withdrawn';
call scope_by_customer('bid_request');

-- A bid is for one product and one period that its results are published for: a market both ways has two products, and slot 02 of the day in
-- October two hours.
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
create index bid_of_file on bid (customer_id, market, day, auction);
create index bid_undecided on bid (starts_at) where won is null;
-- Whom a revised price concerns.
create index bid_of_period on bid (product, starts_at);
create index market_price_revision_newest on market_price_revision (replaced_at);
call scope_by_customer('bid');

-- What was sent to the operator for one auction and day: it is made once.
create table bid_file (
  customer_id uuid not null references customer,
  market text not null,
  auction text not null,
  day date not null,
  file_id uuid not null,
  name text not null,
  content text not null,
  sent_at timestamptz not null,
  -- When the subscribers were told what became of its bids; the results of old days tell nobody.
  results_told_at timestamptz,
  primary key (customer_id, market, auction, day),
  unique (customer_id, file_id)
);
create index bid_file_not_told on bid_file (sent_at) where results_told_at is null;
call scope_by_customer('bid_file');

-- When bids must be with the grid operator, local time so many days before the day of delivery. Domain notes, section 4.1; those of aFRR, mFRR
-- and FFR are to be confirmed with the grid operator. The provisioning file may say otherwise.
create table market_gate (
  market text not null,
  auction text not null,
  days_ahead integer not null check (days_ahead between 0 and 7),
  closes_at text not null check (closes_at ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  primary key (market, auction)
);
insert into market_gate values
  ('FCR', '', 1, '08:00'),
  ('FCR-N', 'D-1 early', 1, '00:30'),
  ('FCR-N', 'D-1 late', 1, '18:00'),
  ('FCR-D-INC', 'D-1 early', 1, '00:30'),
  ('FCR-D-INC', 'D-1 late', 1, '18:00'),
  ('FCR-D-DEC', 'D-1 early', 1, '00:30'),
  ('FCR-D-DEC', 'D-1 late', 1, '18:00'),
  ('FFR', '', 1, '15:00'),
  ('aFRR', '', 1, '07:30'),
  ('aFRR-DK1-INC', '', 1, '07:30'),
  ('aFRR-DK1-DEC', '', 1, '07:30'),
  ('aFRR-DK2-INC', '', 1, '07:30'),
  ('aFRR-DK2-DEC', '', 1, '07:30'),
  ('mFRR', '', 1, '07:30');
grant select on market_gate to gridmast_tenant;
grant select, insert, update, delete on market_gate to gridmast_system;

-- Who gets what share of what an instance earns, and how it is bid where a request leaves that to the contract.
create table instance_contract (
  customer_id uuid not null references customer,
  instance_id uuid not null,
  valid_from date not null,
  -- The first day after it; null while it runs.
  valid_to date,
  customer_percent numeric(7, 4) not null,
  partner_percent numeric(7, 4) not null,
  sc_percent numeric(7, 4) not null,
  -- {"Name": "12.5"}
  enablers jsonb not null default '{}',
  -- Auctions that it is bid in, of those of its markets.
  auctions text[] not null,
  default_price_eur numeric(12, 2) not null,
  -- Whose share a penalty is taken from: everybody's, or the service company's alone.
  penalty_to text not null check (penalty_to in ('shares', 'sc')),
  primary key (customer_id, instance_id, valid_from),
  foreign key (customer_id, instance_id) references instance
);
call scope_by_customer('instance_contract');
