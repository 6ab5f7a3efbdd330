-- Backtests: what planning each day of past months would have saved. A row is taken by one process at a time; one that says nothing any
-- more has died, and its row is begun again.
create table load_backtest (
  customer_id uuid not null references customer,
  backtest_id uuid not null,
  -- What is planned: one of these.
  instance_id uuid,
  site_id uuid,
  charger_id uuid,
  -- As it was called then.
  name text not null,
  asked jsonb not null,
  state text not null check (state in ('queued', 'running', 'done', 'cancelled', 'failed')),
  cancel_asked boolean not null default false,
  -- Why it failed.
  reason text check (reason in ('no-prices', 'removed', 'error')),
  -- Days that are planned, of all.
  done integer not null default 0,
  days integer,
  -- How often it was begun, and when the process that runs it was last heard of.
  tries integer not null default 0,
  seen_at timestamptz,
  -- The sums; month by month with the sources.
  result jsonb,
  detail jsonb,
  made_by_name text not null,
  made_at timestamptz not null,
  finished_at timestamptz,
  primary key (customer_id, backtest_id),
  foreign key (customer_id, instance_id) references instance,
  foreign key (customer_id, site_id) references charging_site on delete set null (site_id),
  foreign key (customer_id, charger_id) references charger on delete set null (charger_id),
  check (num_nonnulls(instance_id, site_id, charger_id) <= 1)
);
create index load_backtest_newest on load_backtest (customer_id, made_at desc);
create index load_backtest_open on load_backtest (made_at) where state in ('queued', 'running');
call scope_by_customer('load_backtest');
create trigger tell_load_backtest after insert or update of state, cancel_asked on load_backtest
  for each row execute function tell_change('load-backtest', 'backtest_id');
