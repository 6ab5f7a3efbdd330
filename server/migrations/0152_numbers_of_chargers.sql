-- OCPP transmits the numbers of sessions and starts as int32, and a million chargers use them up within two years: they begin again at 1.
-- A number belongs to the newest session (start) of its charger that has it.
alter table charger_transaction alter column no set cycle;
alter table charger_transaction drop constraint charger_transaction_no_key;
create index charger_transaction_no on charger_transaction (customer_id, charger_id, no);
alter table charger_command alter column no set cycle;
alter table charger_command drop constraint charger_command_no_key;
create index charger_command_no on charger_command (customer_id, charger_id, no);

-- A number of this installation only.
alter table payment_event alter column no type bigint;
alter sequence payment_event_no_seq as bigint;
