-- A limit that is set or ended by hand is heard by the process that the charger is connected to, at once.
create function tell_hand_limit() returns trigger language plpgsql as $$
begin
  perform pg_notify('gridmast_change', 'charging-site:' || c.site_id)
  from charger c where c.customer_id = new.customer_id and c.charger_id = new.charger_id and c.site_id is not null;
  return null;
end $$;
create trigger tell_hand_limit after insert on charger_limit for each row when (new.hand_a is not null) execute function tell_hand_limit();
create trigger tell_hand_limit_change after update of hand_a, hand_until on charger_limit for each row
  when ((new.hand_a, new.hand_until) is distinct from (old.hand_a, old.hand_until)) execute function tell_hand_limit();
