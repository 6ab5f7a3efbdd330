-- What the comparison of two months adds up, kept with each settlement: its inputs are read and grouped once, when they are written.
-- One entry for each period that was bid for and decided; MW and EUR. A period that two auctions sold is offered once: the second one sells
-- what the first one left.
create type slot_sum as (
  slot integer,
  offered_mw numeric,
  won_mw numeric,
  capacity_eur numeric,
  -- The same, and the customer's part of it, without signs.
  size_eur numeric,
  shared_size_eur numeric,
  -- The customer's part of the penalties.
  penalty_eur numeric,
  hours integer,
  missed_hours integer
);

create function slot_sums_of(inputs jsonb) returns slot_sum[] language sql immutable as $$
  select array_agg((p.slot, greatest(p.offered, p.won), p.won, p.eur, p.size, p.size * c.share,
    case when c.by_sc then 0 else p.penalty * c.share end, p.hours, p.missed)::slot_sum order by p.from_ms)
  from (
    select l.slot, l."fromMs" as from_ms, max(l."capacityMw") as offered,
      coalesce(sum(coalesce(l."wonMw", l."capacityMw")) filter (where l.won), 0) as won, sum(l."capacityEur") as eur, sum(abs(l."capacityEur")) as size,
      sum(l."penaltyEur") as penalty, coalesce(max(l.hours) filter (where l.won), 0) as hours, coalesce(max(l."missedHours") filter (where l.won), 0) as missed
    from jsonb_to_recordset(inputs -> 'bids') as l(slot int, "fromMs" bigint, "capacityMw" numeric, won boolean, "wonMw" numeric,
      "capacityEur" numeric, "penaltyEur" numeric, hours int, "missedHours" int)
    where l."capacityEur" is not null group by 1, 2) p
  cross join (select (inputs -> 'contract' ->> 'customer')::numeric / 100 as share, inputs -> 'contract' ->> 'penaltyTo' = 'sc' as by_sc) c
$$;

alter table settlement add column slot_sums slot_sum[] generated always as (slot_sums_of(inputs)) stored;
