-- The newest mail of an alert to an address, and the triggers in it: later ones are added while it waits in the outbox, so that an alert
-- without an interval sends at most one mail a minute (domains/alerts/alert-mail.ts).
create table alert_mail (
  customer_id uuid not null references customer,
  alert_id uuid not null,
  email text not null,
  mail_id uuid not null,
  due_at timestamptz not null,
  triggers integer not null check (triggers > 0),
  first_at timestamptz not null,
  -- The value furthest from the threshold.
  extreme double precision not null,
  primary key (customer_id, alert_id, email),
  foreign key (customer_id, alert_id) references alert
);
call scope_by_customer('alert_mail');
