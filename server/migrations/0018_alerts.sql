-- Alerts: rules over what an instance measures, what they triggered, and when a person wants no bell for it.
-- A removed alert keeps its row: what it triggered stays readable. A triggered row says the rule as it was then.
create table alert (
  customer_id uuid not null references customer,
  alert_id uuid not null,
  instance_id uuid not null,
  name text not null,
  type text not null check (type in ('power', 'consumption')),
  criteria text not null check (criteria in ('gt', 'lt')),
  threshold double precision not null,
  email text not null,
  notification boolean not null,
  -- Wall clock in Berlin; the minute of the end belongs to it.
  start_time text not null default '00:00',
  end_time text not null default '23:59',
  -- Null: never said, five minutes.
  interval_minutes double precision,
  -- The rule holds for samples from here on: when it was made or last changed.
  valid_from timestamptz not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (customer_id, alert_id),
  foreign key (customer_id, instance_id) references instance
);
create index alert_of_instance on alert (customer_id, instance_id) where removed_at is null;
call scope_by_customer('alert');

create table alert_trigger (
  customer_id uuid not null references customer,
  trigger_id uuid not null,
  alert_id uuid not null,
  instance_id uuid not null,
  name text not null,
  type text not null,
  criteria text not null,
  threshold double precision not null,
  value double precision not null,
  triggered_at timestamptz not null,
  -- When the threshold was crossed: the same as triggered_at but for repetitions.
  crossed_at timestamptz not null,
  -- Its samples came more than 15 minutes late: no mail and no bell.
  late boolean not null,
  -- Whether the alert wanted mail and bell then.
  notification boolean not null,
  comment text not null default '',
  acknowledged_at timestamptz,
  acknowledged_by text,
  primary key (customer_id, trigger_id),
  unique (customer_id, alert_id, triggered_at),
  foreign key (customer_id, alert_id) references alert,
  foreign key (customer_id, instance_id) references instance
);
create index alert_trigger_newest on alert_trigger (customer_id, triggered_at desc);
call scope_by_customer('alert_trigger');

create table alert_mute (
  customer_id uuid not null references customer,
  mute_id uuid not null,
  user_id uuid not null,
  -- Null: every instance.
  instance_id uuid,
  start_time text not null,
  end_time text not null,
  primary key (customer_id, mute_id),
  foreign key (customer_id, user_id) references app_user on delete cascade,
  foreign key (customer_id, instance_id) references instance
);
create index alert_mute_of_user on alert_mute (customer_id, user_id);
call scope_by_customer('alert_mute');

create trigger tell_alert after insert or update on alert for each row execute function tell_change('alert', 'alert_id');

-- All that samples up to this version of the readings have triggered is in alert_trigger.
create table alert_progress (
  one boolean primary key default true check (one),
  version bigint not null
);
grant select, insert, update on alert_progress to gridmast_system;
