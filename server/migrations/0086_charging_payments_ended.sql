-- A payment whose session has ended frees its connector while the cost is calculated; a session without a published price or emission is counted
-- again whenever that is published.
alter table payment drop constraint payment_state_check, add constraint payment_state_check check (state in ('reserving', 'waiting', 'reserved',
  'charging', 'ended', 'capturing', 'captured', 'capture-failed', 'partly-refunded', 'refunded', 'releasing', 'released', 'declined', 'failed'));
drop index payment_under_way;
create index payment_under_way on payment (state) where state in ('reserving', 'waiting', 'reserved', 'charging', 'ended');

create index charging_cost_unpublished on charging_cost (unknown) where unknown in ('spot', 'tariff');
-- The tables' owner sees no rows of customers by itself.
set local role gridmast_system;
update charging_cost set due_at = now()
where due_at is null and (unknown in ('spot', 'tariff') or g_co2 is null and unknown is null);
reset role;
