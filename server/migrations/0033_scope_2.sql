-- Scope 2 reports: what the electricity of meters emitted, with what each was made of. A report is never changed: made again after a
-- correction it is another one, and both say which version of each day they used.
create table scope_2_report (
  customer_id uuid not null references customer,
  report_id uuid not null,
  made_at timestamptz not null,
  made_by text not null,
  start_date date not null,
  end_date date not null check (end_date >= start_date),
  -- Of the meters and days that were asked for: the reports of one choice follow each other.
  choice_sha256 bytea not null,
  inputs_sha256 bytea not null,
  company text not null,
  -- Of readings and emission, as they were then.
  sources jsonb not null,
  -- Sums as server/src/meters/scope-2/emitted.ts keeps them.
  total jsonb not null,
  months jsonb not null,
  changes jsonb,
  primary key (customer_id, report_id),
  unique (customer_id, inputs_sha256)
);
create index scope_2_report_of_choice on scope_2_report (customer_id, choice_sha256, made_at desc);
call scope_by_customer('scope_2_report');

-- A meter as it was then. It outlives the meter itself.
create table scope_2_meter (
  customer_id uuid not null,
  report_id uuid not null,
  position integer not null,
  meter_id uuid not null,
  metering_point_id text not null,
  name text not null,
  cvr text not null,
  site text not null,
  area text,
  -- Of meter_day for each day of the period, 0 where nothing was there.
  versions integer[] not null,
  total jsonb not null,
  primary key (customer_id, report_id, position),
  foreign key (customer_id, report_id) references scope_2_report on delete cascade
);
call scope_by_customer('scope_2_meter');

-- Mean g/kWh of each hour of the period, null where nothing was published. The readings keep no earlier values of a published series.
create table scope_2_factor (
  customer_id uuid not null,
  report_id uuid not null,
  area text not null,
  grams double precision[] not null,
  primary key (customer_id, report_id, area),
  foreign key (customer_id, report_id) references scope_2_report on delete cascade
);
call scope_by_customer('scope_2_factor');
