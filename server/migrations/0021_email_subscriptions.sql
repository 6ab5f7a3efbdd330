-- Who is emailed about an instance, and which activation stands in which mail: each is told once, in at most one mail in 15 minutes.
-- The language of mails: the customer's, or the one that a person has chosen.
alter table customer add column language text not null default 'en' check (language in ('en', 'da'));
alter table app_user add column language text check (language in ('en', 'da'));

create table email_subscription (
  customer_id uuid not null references customer,
  subscription_id uuid not null,
  email text not null,
  event_type text not null check (event_type in ('fcr_based', 'frr_based')),
  instance_id uuid not null,
  activation boolean not null,
  bid_result boolean not null,
  created_at timestamptz not null,
  primary key (customer_id, subscription_id),
  foreign key (customer_id, instance_id) references instance
);
create unique index email_subscription_once on email_subscription (customer_id, instance_id, event_type, lower(email));
call scope_by_customer('email_subscription');

-- The mails of activations of one instance to one address (in lower case), whatever the kind of event.
create table activation_digest (
  customer_id uuid not null,
  digest_id uuid not null,
  instance_id uuid not null,
  email text not null,
  -- Stands in the link that stops these mails; using the link raises it, so that each works once.
  link_no integer not null default 0,
  -- The newest mail and when it was due.
  mail_id uuid,
  due_at timestamptz,
  primary key (customer_id, digest_id),
  unique (customer_id, instance_id, email),
  foreign key (customer_id, instance_id) references instance
);
create unique index activation_digest_id on activation_digest (digest_id);
call scope_by_customer('activation_digest');

create table mailed_activation (
  customer_id uuid not null,
  digest_id uuid not null,
  market text not null,
  start_at timestamptz not null,
  end_at timestamptz,
  direction text not null check (direction in ('increased', 'decreased')),
  delta_load double precision not null,
  mail_id uuid not null,
  primary key (customer_id, digest_id, market, direction, start_at),
  foreign key (customer_id, digest_id) references activation_digest on delete cascade
);
call scope_by_customer('mailed_activation');
