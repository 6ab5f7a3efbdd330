-- Work that is due is marked by the transaction that causes it (`addMarks` in server/src/platform/records/marks.ts), so that its path can be read.
-- The triggers that marked are removed; rows changed manually mark nothing any more (docs/operations.md).
drop trigger mark_settlement_due on bid;
drop trigger mark_settlement_due_again on bid;
drop trigger mark_settlement_due_without on bid;
drop trigger mark_contract_due on instance_contract;
drop trigger mark_contract_due_first on instance_contract;
drop trigger mark_contract_due_without on instance_contract;
drop trigger mark_energy_due on market_price;
drop trigger mark_energy_due_again on market_price;
drop trigger mark_reconciliation_due on settlement;
drop trigger mark_reconciliation_due_again on settlement;
drop trigger mark_reconciliation_due_without on settlement;
drop trigger mark_charging_due on charger_register;
drop trigger mark_charging_due on charger_transaction;
drop trigger mark_charging_due_again on charger_transaction;
drop function mark_settlement_due();
drop function mark_contract_due();
drop function mark_contract_due_whole();
drop function mark_energy_due();
drop function mark_reconciliation_due();
drop function mark_charging_due();
