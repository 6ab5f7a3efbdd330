-- The home dashboard as the customer's own people have arranged it; null: as the provisioning file has it.
alter table customer add column home_dashboard jsonb;
