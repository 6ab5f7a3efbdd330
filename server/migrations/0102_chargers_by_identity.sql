-- The door of chargers reads by the identity alone, across customers: a certificate and a short address name no customer.
create index charger_by_identity on charger (identity);
