-- Sites: amperes that stay free for the rest of the house, a limit that a person sets for one outlet for a while, and the series that show the
-- promise beside what was drawn.

-- Of each phase, below the limit.
alter table charging_site add column reserve_a integer not null default 0 check (reserve_a >= 0);

alter table charger_limit
  add column hand_a integer check (hand_a between 0 and 1000),
  add column hand_until timestamptz,
  add column hand_reason text,
  -- As the person was called then.
  add column hand_by text,
  add check (num_nulls(hand_a, hand_until, hand_reason, hand_by) in (0, 4));

-- 'held' is the sum of what the outlets may draw at most, 'allowed' what one of them may.
alter table charging_site_signal drop constraint charging_site_signal_kind_check;
alter table charging_site_signal add check (kind in ('limit', 'total', 'held'));
alter table charger_signal drop constraint charger_signal_kind_check;
alter table charger_signal
  add check (kind in ('power', 'energy', 'soc', 'allowed', 'power-l1', 'power-l2', 'power-l3'));

-- What a customer has chosen about charging; without a row, nothing.
create table charging_choice (
  customer_id uuid not null references customer,
  -- A tag may charge at one place at a time.
  one_session boolean not null default false,
  primary key (customer_id)
);
call scope_by_customer('charging_choice');
