-- What a message of a charger costs: raw frames lie in pieces of what was said within a second or so, and an outlet that is marked for counting
-- already is not marked again.

create table charger_frames (
  customer_id uuid not null,
  charger_id uuid not null,
  -- Of the ring.
  slot integer not null,
  -- Of two pieces the one with the higher number is the newer.
  no bigint not null,
  -- [[time in ms, 'in' or 'out', frame], ...]
  frames jsonb not null,
  primary key (customer_id, charger_id, slot),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_frames');

-- The tables' owner sees no rows of customers by itself.
set local role gridmast_system;
insert into charger_frames (customer_id, charger_id, slot, no, frames)
select customer_id, charger_id, slot, no,
  jsonb_build_array(jsonb_build_array((extract(epoch from at) * 1000)::bigint, direction, frame))
from charger_frame;
reset role;
drop table charger_frame;

-- In order of the key, so that two that mark the same outlets wait for one another and never in a circle. A mark that is there already counts for
-- what is stored beside it too: whoever takes it waits for all who may have seen it (claim in count.ts).
create or replace function mark_charging_due() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'charger_register' then
    insert into charging_due as d (customer_id, charger_id, evse_no, from_at)
    select n.* from (select customer_id, charger_id, evse_no, min(at) as from_at from new_rows group by 1, 2, 3) n
    where not exists (select from charging_due m
      where m.customer_id = n.customer_id and m.charger_id = n.charger_id and m.evse_no = n.evse_no and m.from_at <= n.from_at)
    order by 1, 2, 3
    on conflict (customer_id, charger_id, evse_no) do update set from_at = least(d.from_at, excluded.from_at);
  else
    insert into charging_due as d (customer_id, charger_id, evse_no, from_at)
    select n.* from (select customer_id, charger_id, coalesce(evse_no, -1) as evse_no, min(started_at) as from_at from new_rows group by 1, 2, 3) n
    where not exists (select from charging_due m
      where m.customer_id = n.customer_id and m.charger_id = n.charger_id and m.evse_no = n.evse_no and m.from_at <= n.from_at)
    order by 1, 2, 3
    on conflict (customer_id, charger_id, evse_no) do update set from_at = least(d.from_at, excluded.from_at);
  end if;
  return null;
end $$;
