-- The charger told of it long after it had begun: nothing says that it still runs but what the charger tells next.
alter table charger_transaction add column told_late boolean not null default false;
