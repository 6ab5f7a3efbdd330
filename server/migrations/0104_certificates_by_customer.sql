-- Chargers with certificates may have one identity in several companies: the organisation (O) of a certificate is the key of the customer. A
-- certificate that does not name the customer opens only for the company that used one like it last within 90 days.
drop index charger_of_certificate;
alter table charger add column unnamed_certificate_at timestamptz;
