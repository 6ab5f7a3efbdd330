-- Energy of a session that its charger cannot have delivered: the reported energy is kept apart, and the session has none until a user confirms or
-- corrects it.
alter table charger_transaction
  add column doubted_wh numeric(14, 3) check (doubted_wh >= 0),
  add column energy_reviewed_at timestamptz,
  add column energy_reviewed_by text,
  add column energy_reason text,
  add check ((energy_reviewed_at is null) = (energy_reason is null) and (energy_reviewed_at is null) = (energy_reviewed_by is null));
create index charger_transaction_doubted on charger_transaction (customer_id, started_at desc)
  where doubted_wh is not null and energy_reviewed_at is null;

-- The tables' owner sees no rows of customers by itself.
set local role gridmast_system;
update charger_transaction t set doubted_wh = t.consumption_wh, consumption_wh = null
from charger c
where c.customer_id = t.customer_id and c.charger_id = t.charger_id
  and t.consumption_wh > greatest(1000, 3 * c.max_kw * extract(epoch from t.ended_at - t.started_at) / 3.6);
reset role;
