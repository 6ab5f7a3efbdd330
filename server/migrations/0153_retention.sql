-- Rows that a retention removes are found by their time; ranges of blocks suffice, as these tables grow in order of time.
create index charger_message_age on charger_message using brin (received_at);
create index charger_register_age on charger_register using brin (at);
create index command_log_age on command_log using brin (at);
create index settlement_revision_age on settlement_revision using brin (replaced_at);
create index market_price_revision_age on market_price_revision using brin (replaced_at);
create index meter_day_revision_age on meter_day_revision using brin (replaced_at);
