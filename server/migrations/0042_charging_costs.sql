-- What charging costs: what each charger pays from which day on, and of each session its energy by quarter of an hour and what that cost.

-- The area and tax that a charger pays until somebody says otherwise.
alter table charger add price_signal_id uuid;
alter table charger add foreign key (customer_id, price_signal_id) references price_signal on delete set null (price_signal_id);

create table charging_price (
  customer_id uuid not null,
  charger_id uuid not null,
  -- A local day; until the next row of the charger begins.
  valid_from date not null,
  area text not null,
  tax_dkk_per_mwh numeric(14, 6) not null check (tax_dkk_per_mwh >= 0),
  tariff_gln text,
  tariff_code text,
  -- What drivers pay; null where nobody is billed.
  driver_dkk_per_kwh numeric(10, 4) check (driver_dkk_per_kwh >= 0),
  primary key (customer_id, charger_id, valid_from),
  foreign key (customer_id, charger_id) references charger,
  check ((tariff_gln is null) = (tariff_code is null))
);
call scope_by_customer('charging_price');

-- One row for each session: made and made again from the ledger, prices and emission.
create table charging_cost (
  customer_id uuid not null,
  transaction_id uuid not null,
  -- Start of the first quarter, and whole Wh of each.
  from_at timestamptz not null,
  wh integer[] not null,
  -- Charged between readings that lie far apart: when exactly is not known.
  spread boolean not null,
  area text,
  -- Exact; all null where `unknown` says why.
  spot_dkk numeric,
  tariff_dkk numeric,
  tax_dkk numeric,
  unknown text check (unknown in ('price', 'spot', 'tariff')),
  -- What the driver pays; null where nobody is billed.
  driver_dkk numeric,
  g_co2 numeric,
  -- When to look again at what was not published yet.
  due_at timestamptz,
  primary key (customer_id, transaction_id),
  foreign key (customer_id, transaction_id) references charger_transaction on delete cascade,
  check ((unknown is null) = (spot_dkk is not null))
);
create index charging_cost_due on charging_cost (due_at) where due_at is not null;
create index charging_cost_newest on charging_cost (area, from_at);
call scope_by_customer('charging_cost');

-- Outlets whose sessions from an instant on are to be counted again. -1 stands for an outlet that nobody named.
create table charging_due (
  customer_id uuid not null,
  charger_id uuid not null,
  evse_no integer not null,
  from_at timestamptz,
  -- What is being counted now; whoever died over it leaves it to the next.
  claimed_from timestamptz,
  primary key (customer_id, charger_id, evse_no),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charging_due');

create function mark_charging_due() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'charger_register' then
    insert into charging_due as d (customer_id, charger_id, evse_no, from_at)
    select customer_id, charger_id, evse_no, min(at) from new_rows group by customer_id, charger_id, evse_no
    on conflict (customer_id, charger_id, evse_no) do update set from_at = least(d.from_at, excluded.from_at);
  else
    insert into charging_due as d (customer_id, charger_id, evse_no, from_at)
    select customer_id, charger_id, coalesce(evse_no, -1), min(started_at) from new_rows group by 1, 2, 3
    on conflict (customer_id, charger_id, evse_no) do update set from_at = least(d.from_at, excluded.from_at);
  end if;
  return null;
end $$;
create trigger mark_charging_due after insert on charger_register referencing new table as new_rows
  for each statement execute function mark_charging_due();
create trigger mark_charging_due after insert on charger_transaction referencing new table as new_rows
  for each statement execute function mark_charging_due();
create trigger mark_charging_due_again after update on charger_transaction referencing new table as new_rows
  for each statement execute function mark_charging_due();

-- When revisions of published prices were last looked for.
create table charging_watermark (
  is_one boolean primary key default true check (is_one),
  revised_at timestamptz not null
);
grant select, insert, update on charging_watermark to gridmast_system;
