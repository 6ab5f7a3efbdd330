-- What is sold and is not expected to be there: looked at every few minutes, told once and again when it grows. And whom a company calls.
-- A triggered row may come from no alert of the company's own: then it says what it is about, and when it was over.
alter table customer add column support jsonb not null default '{}';
alter table alert_trigger alter column alert_id drop not null;
-- Null where it is not known: the instance is silent.
alter table alert_trigger alter column value drop not null;
-- {"market": "...", "slots": [...]}: contract/src/trading/penalty-guard.ts.
alter table alert_trigger add column about jsonb;
alter table alert_trigger add column closed_at timestamptz;

create table sold_risk (
  customer_id uuid not null references customer,
  instance_id uuid not null,
  market text not null,
  product text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  sold_kw double precision not null,
  -- Null while nothing is known of it.
  expected_kw double precision,
  usual_error_kw double precision,
  short_kw double precision,
  -- Of the payment of the slot; null while its price is not published.
  loss_eur numeric(14, 2),
  at_stake_eur numeric(14, 2),
  state text not null check (state in ('short', 'unknown')),
  -- What was told of it; a slot that is unknown counts as missing whole.
  told_kw double precision not null,
  trigger_id uuid not null,
  raised_at timestamptz not null,
  checked_at timestamptz not null,
  -- Whole again, or not sold any more, before it began.
  closed_at timestamptz,
  primary key (customer_id, instance_id, product, starts_at),
  foreign key (customer_id, instance_id) references instance,
  foreign key (customer_id, trigger_id) references alert_trigger
);
create index sold_risk_ahead on sold_risk (starts_at) where closed_at is null;
create index sold_risk_of_trigger on sold_risk (customer_id, trigger_id);
call scope_by_customer('sold_risk');
