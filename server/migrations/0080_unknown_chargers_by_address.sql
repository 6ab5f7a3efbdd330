-- The network address from which an unknown charger connects: one address may fill only a part of the list.
alter table charger_unknown add column address text;
