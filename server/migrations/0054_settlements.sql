-- What each instance earned on each local day with each product: made and made again from bids, prices, telemetry and contracts.

create table settlement (
  customer_id uuid not null,
  instance_id uuid not null,
  day date not null,
  -- As its prices are published: 'aFRR-INC' of a bid on aFRR.
  product text not null,
  market text not null,
  -- From 1; a correction makes the next one, and keeps the one before in settlement_revision.
  version integer not null,
  made_at timestamptz not null,
  -- The day is over, so that its availability is known.
  is_closed boolean not null,
  -- Results of all of its bids are published.
  is_result_fetched boolean not null,
  won_mw numeric(9, 3) not null,
  -- Euro; null until something of it is known. The gross is the sum of the first two, and of the shares.
  capacity_eur numeric(14, 2),
  penalty_eur numeric(14, 2),
  gross_eur numeric(14, 2),
  -- Beside the gross, in no share.
  energy_eur numeric(14, 2),
  -- Null where no contract is valid.
  customer_eur numeric(14, 2),
  partner_eur numeric(14, 2),
  sc_eur numeric(14, 2),
  -- {"Name": "1.50"}
  enablers jsonb,
  -- Every number that the amounts come from, and what they are of.
  inputs jsonb not null,
  inputs_sha256 text not null,
  primary key (customer_id, instance_id, day, product),
  foreign key (customer_id, instance_id) references instance
);
create index settlement_by_day on settlement (customer_id, day desc, instance_id, product);
create index settlement_open on settlement (day) where not is_closed;
call scope_by_customer('settlement');

create table settlement_revision (like settlement including constraints);
alter table settlement_revision
  add column replaced_at timestamptz not null,
  add primary key (customer_id, instance_id, day, product, version),
  add foreign key (customer_id, instance_id) references instance;
call scope_by_customer('settlement_revision');

-- Days of instances to be settled, again or for the first time. A row whose number has changed was marked again while it was being settled.
create sequence settlement_mark;
grant usage on sequence settlement_mark to gridmast_tenant, gridmast_system;
create table settlement_due (
  customer_id uuid not null,
  instance_id uuid not null,
  day date not null,
  mark bigint not null default nextval('settlement_mark'),
  marked_at timestamptz not null default now(),
  primary key (customer_id, instance_id, day),
  foreign key (customer_id, instance_id) references instance
);
create index settlement_due_newest on settlement_due (day desc);
call scope_by_customer('settlement_due');

create function mark_settlement_due() returns trigger language plpgsql as $$
begin
  insert into settlement_due (customer_id, instance_id, day)
  select distinct customer_id, instance_id, day from changed_rows order by 1, 2, 3
  on conflict (customer_id, instance_id, day) do update set mark = nextval('settlement_mark'), marked_at = now();
  return null;
end $$;
create trigger mark_settlement_due after insert on bid referencing new table as changed_rows
  for each statement execute function mark_settlement_due();
create trigger mark_settlement_due_again after update on bid referencing new table as changed_rows
  for each statement execute function mark_settlement_due();
create trigger mark_settlement_due_without after delete on bid referencing old table as changed_rows
  for each statement execute function mark_settlement_due();

-- A contract that is written as it was changes nothing.
create function mark_contract_due() returns trigger language plpgsql as $$
begin
  insert into settlement_due (customer_id, instance_id, day)
  select distinct b.customer_id, b.instance_id, b.day from bid b where (b.customer_id, b.instance_id) in (
    select customer_id, instance_id from ((table new_rows except table old_rows) union all (table old_rows except table new_rows)) c)
  order by 1, 2, 3
  on conflict (customer_id, instance_id, day) do update set mark = nextval('settlement_mark'), marked_at = now();
  return null;
end $$;
create trigger mark_contract_due after update on instance_contract referencing old table as old_rows new table as new_rows
  for each statement execute function mark_contract_due();
create function mark_contract_due_whole() returns trigger language plpgsql as $$
begin
  insert into settlement_due (customer_id, instance_id, day)
  select distinct b.customer_id, b.instance_id, b.day from bid b where (b.customer_id, b.instance_id) in (
    select customer_id, instance_id from changed_rows)
  order by 1, 2, 3
  on conflict (customer_id, instance_id, day) do update set mark = nextval('settlement_mark'), marked_at = now();
  return null;
end $$;
create trigger mark_contract_due_first after insert on instance_contract referencing new table as changed_rows
  for each statement execute function mark_contract_due_whole();
create trigger mark_contract_due_without after delete on instance_contract referencing old table as changed_rows
  for each statement execute function mark_contract_due_whole();

-- Bids that were there before.
set local role gridmast_system;
insert into settlement_due (customer_id, instance_id, day) select distinct customer_id, instance_id, day from bid;
reset role;

-- Up to which version of the readings settled days were compared with what came later.
create table settlement_watermark (
  is_one boolean primary key default true check (is_one),
  readings_version bigint not null
);
grant select, insert, update on settlement_watermark to gridmast_system;
