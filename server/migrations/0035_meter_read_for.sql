-- The sync in which a meter was last read, beside the one in which it was asked: what lies between the two and before the next sync is
-- put on the list of months again.
alter table meter add column read_for timestamptz;
update meter set read_for = synced_for where last_error is null;
