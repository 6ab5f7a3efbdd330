-- Retention deletes the referenced rows in batches: without these each deleted row reads all of its customer's rows that may refer to it.
create index charger_transaction_command on charger_transaction (customer_id, command_id) where command_id is not null;
create index charging_stop_command on charging_stop (customer_id, command_id) where command_id is not null;
create index event_edge_event on event (customer_id, edge_event_id) where edge_event_id is not null;
create index payment_transaction on payment (customer_id, transaction_id) where transaction_id is not null;
