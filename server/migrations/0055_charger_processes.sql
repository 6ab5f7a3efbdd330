-- Which process holds the socket of a charger, and which of these processes are alive: one that dies takes nobody offline by itself.

create table ocpp_process (
  process_id uuid primary key,
  alive_at timestamptz not null
);
grant select, insert, update, delete on ocpp_process to gridmast_system;

alter table charger add column connected_by uuid;

-- Sessions to be counted again are marked by outlet and day (UTC): a charger that tells weeks of its past marks the days that it tells of, and not
-- all that has been since.
alter table charging_due
  add column day date not null default '-infinity',
  -- Something has changed since it was counted last.
  add column marked boolean not null default true,
  -- It is being counted; whoever died over it leaves it to the next.
  add column claimed boolean not null default false;
alter table charging_due drop constraint charging_due_pkey, add primary key (customer_id, charger_id, evse_no, day);
-- The tables' owner sees no rows of customers by itself.
set local role gridmast_system;
insert into charging_due (customer_id, charger_id, evse_no, day)
select distinct d.customer_id, d.charger_id, d.evse_no, timezone('UTC', t.started_at)::date
from charging_due d
join charger_transaction t on t.customer_id = d.customer_id and t.charger_id = d.charger_id and coalesce(t.evse_no, -1) = d.evse_no
where coalesce(t.ended_at, 'infinity') >= least(d.from_at, d.claimed_from);
delete from charging_due where day = '-infinity';
reset role;
alter table charging_due alter column day drop default, drop column from_at, drop column claimed_from;

-- In order of the key, so that two that mark the same wait for one another and never in a circle. A mark that is there already counts for what is
-- stored beside it too: whoever takes it waits for all who may have seen it (`isSettled` in count.ts).
create or replace function mark_charging_due() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'charger_register' then
    insert into charging_due as d (customer_id, charger_id, evse_no, day)
    select n.* from (select distinct customer_id, charger_id, evse_no, timezone('UTC', at)::date as day from new_rows) n
    where not exists (select from charging_due m where m.customer_id = n.customer_id and m.charger_id = n.charger_id
      and m.evse_no = n.evse_no and m.day = n.day and m.marked)
    order by 1, 2, 3, 4
    on conflict (customer_id, charger_id, evse_no, day) do update set marked = true;
  else
    insert into charging_due as d (customer_id, charger_id, evse_no, day)
    select n.* from (select distinct customer_id, charger_id, coalesce(evse_no, -1) as evse_no, timezone('UTC', started_at)::date as day
      from new_rows) n
    where not exists (select from charging_due m where m.customer_id = n.customer_id and m.charger_id = n.charger_id
      and m.evse_no = n.evse_no and m.day = n.day and m.marked)
    order by 1, 2, 3, 4
    on conflict (customer_id, charger_id, evse_no, day) do update set marked = true;
  end if;
  return null;
end $$;
