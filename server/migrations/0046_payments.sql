-- Payments of drivers: one for a session that a person begins, reserved before it and taken once after it; each request to the provider is a
-- row with its idempotency key before it is sent.

-- A company's own sales unit at the provider. What opens it is sealed.
create table payment_account (
  customer_id uuid primary key references customer,
  merchant_serial_number text not null check (merchant_serial_number ~ '^[0-9]{4,7}$'),
  client_id text not null,
  client_secret_sealed bytea not null,
  subscription_key_sealed bytea not null,
  -- Reserved before a session; no more than this is ever taken for it.
  reserve_ore integer not null check (reserve_ore > 0),
  webhook_id text,
  webhook_secret_sealed bytea,
  saved_at timestamptz not null,
  check ((webhook_id is null) = (webhook_secret_sealed is null))
);
call scope_by_customer('payment_account');

create table payment (
  customer_id uuid not null references customer,
  payment_id uuid not null,
  charger_id uuid not null,
  evse_no integer not null,
  user_id uuid not null,
  state text not null check (state in ('reserving', 'waiting', 'reserved', 'charging', 'capturing', 'captured', 'capture-failed',
    'partly-refunded', 'refunded', 'releasing', 'released', 'declined', 'failed')),
  reserved_ore integer not null check (reserved_ore > 0),
  -- What the session cost its driver when it was to be taken; what of it was taken, at most what is reserved.
  cost_ore integer check (cost_ore >= 0),
  captured_ore integer check (captured_ore between 1 and reserved_ore),
  refunded_ore integer not null default 0 check (refunded_ore between 0 and coalesce(captured_ore, 0)),
  -- Where the driver approves it.
  redirect_url text,
  -- The start that was asked of the charger, and the session that began with it.
  command_id uuid,
  transaction_id uuid,
  failure text,
  simulated boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (customer_id, payment_id),
  unique (customer_id, command_id),
  foreign key (customer_id, charger_id) references charger,
  foreign key (customer_id, command_id) references charger_command,
  foreign key (customer_id, transaction_id) references charger_transaction
);
create index payment_newest on payment (customer_id, created_at desc, payment_id desc);
create index payment_under_way on payment (state) where state in ('reserving', 'waiting', 'reserved', 'charging');
create unique index payment_of_connector on payment (customer_id, charger_id, evse_no)
  where state in ('reserving', 'waiting', 'reserved', 'charging');
create unique index payment_of_session on payment (customer_id, transaction_id) where transaction_id is not null;
call scope_by_customer('payment');

-- A request to the provider; its id is the idempotency key.
create table payment_operation (
  customer_id uuid not null,
  operation_id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('reserve', 'capture', 'release', 'refund')),
  amount_ore integer not null check (amount_ore >= 0),
  state text not null default 'open' check (state in ('open', 'done', 'refused')),
  -- It was sent at least once: before it is sent again the provider is asked whether it has been done.
  sent boolean not null default false,
  user_id uuid,
  error text,
  asked_at timestamptz not null,
  answered_at timestamptz,
  primary key (customer_id, operation_id),
  foreign key (customer_id, payment_id) references payment
);
create unique index payment_operation_open on payment_operation (customer_id, payment_id) where state = 'open';
-- No payment is taken twice.
create unique index payment_operation_capture on payment_operation (customer_id, payment_id) where kind = 'capture' and state <> 'refused';
call scope_by_customer('payment_operation');

-- What happened to a payment, in the order in which it was written.
create table payment_event (
  customer_id uuid not null,
  payment_id uuid not null,
  no integer generated always as identity,
  at timestamptz not null,
  event text not null,
  amount_ore integer,
  who text,
  words text,
  -- Of what the provider told by itself: its own reference and name, which it may say again.
  told text,
  primary key (customer_id, payment_id, no),
  unique (customer_id, payment_id, told),
  foreign key (customer_id, payment_id) references payment
);
call scope_by_customer('payment_event');

-- A rule may ask a charger, too: then nobody is the one who asked.
alter table charger_command alter column user_id drop not null;
