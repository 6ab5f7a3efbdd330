-- Load balancing: sites whose limit is shared among the outlets of their chargers, what each outlet may draw at most, and how groups of tags
-- come before each other.

create table charging_site (
  customer_id uuid not null references customer,
  site_id uuid not null,
  name text not null,
  -- Of each phase.
  limit_a integer not null check (limit_a between 6 and 10000),
  -- What an outlet may draw when nobody reaches its charger.
  fallback_a integer not null check (fallback_a between 0 and 1000),
  created_at timestamptz not null,
  primary key (customer_id, site_id)
);
create unique index charging_site_name on charging_site (customer_id, lower(name));
call scope_by_customer('charging_site');
create trigger tell_site after insert or update or delete on charging_site for each row execute function tell_change('charging-site', 'site_id');

alter table charger
  add column site_id uuid,
  -- The phases of the site that its outlets use.
  add column site_phases text not null default 'L1L2L3' check (site_phases in ('L1', 'L2', 'L3', 'L1L2L3')),
  add constraint charger_site foreign key (customer_id, site_id) references charging_site on delete set null (site_id);
create index charger_of_site on charger (customer_id, site_id) where site_id is not null;

alter table charger_tag_group add column priority integer not null default 1 check (priority between 0 and 9);

-- What an outlet of a site may draw, in A of each phase: what it has confirmed, and what was sent and is not answered.
create table charger_limit (
  customer_id uuid not null,
  charger_id uuid not null,
  evse_no integer not null,
  -- Kept by the charger for good; null while it has accepted none.
  fallback_a integer,
  -- False where it refuses limits of sessions.
  follows boolean not null default true,
  -- The transaction that it was told about: a limit of a session ends with it.
  session_no integer,
  confirmed_a integer,
  confirmed_until timestamptz,
  sent_a integer,
  sent_until timestamptz,
  -- The last word of the charger about a limit, where it was not yes.
  refusal text,
  -- Lowest limit of the schedule that the charger says it keeps.
  told_a numeric(9, 1),
  measured_w integer,
  measured_at timestamptz,
  -- It draws more than it is allowed.
  exceeds boolean not null default false,
  changed_at timestamptz not null,
  primary key (customer_id, charger_id, evse_no),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_limit');

-- The series of a site in the readings, both in W.
create table charging_site_signal (
  customer_id uuid not null,
  site_id uuid not null,
  kind text not null check (kind in ('limit', 'total')),
  no integer not null unique default nextval(pg_get_serial_sequence('signal', 'no')),
  primary key (customer_id, site_id, kind),
  foreign key (customer_id, site_id) references charging_site on delete cascade
);
call scope_by_customer('charging_site_signal');
