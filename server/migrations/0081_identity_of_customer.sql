-- A charger's identity is its own within its customer, which its address names. A certificate names the identity alone, so that with
-- certificates there is one charger of a name.
alter table charger drop constraint charger_identity_key, add unique (customer_id, identity);
create unique index charger_of_certificate on charger (identity) where security_profile = 3;
