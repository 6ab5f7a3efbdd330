-- Load shifting: plans with every number they were made of and what they say, and the schedules that chargers and edges follow.
-- An accepted plan that is made again is a new row of the same series, so what was promised and what was followed stays readable.

create table load_plan (
  customer_id uuid not null references customer,
  plan_id uuid not null,
  -- The first version of it; versions of one series follow each other.
  series_id uuid not null,
  version integer not null default 1 check (version > 0),
  -- What it moves: one of these.
  instance_id uuid,
  site_id uuid,
  charger_id uuid,
  -- As it was called then.
  name text not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  cancel_asked boolean not null default false,
  -- The form; the problem as it was solved; the answer of the planner.
  asked jsonb not null,
  problem jsonb,
  plan jsonb,
  made_by uuid,
  made_by_name text not null,
  made_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  from_at timestamptz,
  to_at timestamptz,
  accepted_at timestamptz,
  accepted_by text,
  -- Why this version was made.
  reason text check (reason in ('prices', 'readings', 'charger', 'sold')),
  -- What was looked at last to make it again: the same is not solved twice.
  looked_at text,
  -- What replaced or ended it while it was followed.
  ended_at timestamptz,
  end_reason text check (end_reason in ('replanned', 'another', 'by-hand', 'over')),
  -- Of the series, once its time is over: measured against the baseline that stood before it was accepted.
  saving jsonb,
  primary key (customer_id, plan_id),
  unique (customer_id, series_id, version),
  foreign key (customer_id, instance_id) references instance,
  foreign key (customer_id, site_id) references charging_site on delete set null (site_id),
  foreign key (customer_id, charger_id) references charger on delete set null (charger_id),
  check (num_nonnulls(instance_id, site_id, charger_id) <= 1),
  check ((ended_at is null) = (end_reason is null))
);
create index load_plan_newest on load_plan (customer_id, made_at desc);
create index load_plan_waiting on load_plan (made_at) where state in ('queued', 'running');
create index load_plan_followed on load_plan (to_at) where accepted_at is not null and ended_at is null;
call scope_by_customer('load_plan');
create trigger tell_load_plan after insert or update of state, cancel_asked on load_plan
  for each row execute function tell_change('load-plan', 'plan_id');

-- What a charger may take in each quarter of an hour of the plan that it follows; the newest plan of a charger is the one.
create table charger_schedule (
  customer_id uuid not null,
  charger_id uuid not null,
  plan_id uuid not null,
  from_at timestamptz not null,
  -- W of the whole charger, quarter by quarter.
  watts integer[] not null,
  -- What it was told last, and its word.
  told text,
  told_at timestamptz,
  answer text,
  primary key (customer_id, charger_id),
  foreign key (customer_id, charger_id) references charger on delete cascade,
  foreign key (customer_id, plan_id) references load_plan on delete cascade
);
call scope_by_customer('charger_schedule');
create trigger tell_charger_schedule after insert or update of plan_id, watts or delete on charger_schedule
  for each row execute function tell_change('charger-schedule', 'charger_id');

-- What the edge of an instance is told to run in each quarter of the plan that it follows, in kW; the newest plan is the one.
create table instance_schedule (
  customer_id uuid not null,
  instance_id uuid not null,
  plan_id uuid not null,
  from_at timestamptz not null,
  kw double precision[] not null,
  primary key (customer_id, instance_id),
  foreign key (customer_id, instance_id) references instance,
  foreign key (customer_id, plan_id) references load_plan on delete cascade
);
call scope_by_customer('instance_schedule');
