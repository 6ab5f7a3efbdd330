-- A day that cannot be compared rests for a while, so that the others go on.
alter table reconciliation_due add column marked_at timestamptz not null default now();

-- A mark that is there is written again: it is locked so, and one who is comparing from what was before leaves it where it is.
create or replace function mark_reconciliation_due() returns trigger language plpgsql as $$
begin
  insert into reconciliation_due (customer_id, statement_id, instance_id, day, product)
  select distinct c.customer_id, s.statement_id, c.instance_id, c.day, c.product
  from changed_rows c
  join operator_statement s on s.customer_id = c.customer_id and c.day between s.first_day and s.last_day and c.product = any(s.products)
  order by 1, 2, 3, 4, 5
  on conflict (customer_id, statement_id, instance_id, day, product) do update set marked_at = now();
  return null;
end $$;

-- Also where a day is over and not settled as such yet: it may be being settled right now, without this price.
create or replace function mark_energy_due() returns trigger language plpgsql as $$
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
  where (s.is_closed or s.day < (now() at time zone 'Europe/Berlin')::date) and s.energy_state <> 'none' and s.product like c.reserve || '%'
  order by 1, 2, 3
  on conflict (customer_id, instance_id, day) do update set mark = nextval('settlement_mark'), marked_at = now();
  return null;
end $$;
