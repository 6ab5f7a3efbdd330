-- What aFRR and mFRR were paid for the energy that was asked for: settled once its prices are published, again when one of them changes.
-- none: the product pays for capacity alone. open: the day is not over. unknown: a result, a price or a measurement is missing.
alter table settlement add column energy_state text not null default 'none' check (energy_state in ('none', 'open', 'unknown', 'known'));
alter table settlement_revision
  add column energy_state text not null default 'none' check (energy_state in ('none', 'open', 'unknown', 'known'));

-- Where a published price was, by the quarter of an hour that it is of.
create function mark_energy_due() returns trigger language plpgsql as $$
begin
  if not exists (select from changed_rows where market like '%FRR-energy-%') then
    return null;
  end if;
  insert into settlement_due (customer_id, instance_id, day)
  select distinct s.customer_id, s.instance_id, s.day
  from (
    select distinct split_part(market, '-', 1) as reserve, area, (starts_at at time zone 'Europe/Berlin')::date as day
    from changed_rows where market like '%FRR-energy-%') c
  join instance i on i.area = c.area
  join settlement s on s.customer_id = i.customer_id and s.instance_id = i.instance_id and s.day = c.day
  where s.is_closed and s.energy_state <> 'none' and s.product like c.reserve || '%'
  order by 1, 2, 3
  on conflict (customer_id, instance_id, day) do update set mark = nextval('settlement_mark'), marked_at = now();
  return null;
end $$;
create trigger mark_energy_due after insert on market_price referencing new table as changed_rows
  for each statement execute function mark_energy_due();
create trigger mark_energy_due_again after update on market_price referencing new table as changed_rows
  for each statement execute function mark_energy_due();

set local role gridmast_system;
update settlement set energy_state = 'unknown' where product like 'aFRR%' or product like 'mFRR%';
update settlement_revision set energy_state = 'unknown' where product like 'aFRR%' or product like 'mFRR%';
insert into settlement_due (customer_id, instance_id, day)
  select distinct customer_id, instance_id, day from settlement where energy_state = 'unknown' order by 1, 2, 3
  on conflict do nothing;
reset role;
