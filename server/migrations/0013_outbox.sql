-- One outbox for all that leaves the house: queued in the transaction of the change itself, taken with a lease, delivered, settled.
-- What a kind needs stands in its payload; mail_outbox and webhook_delivery are how the two kinds read.
create table outbox (
  -- Null: to the operator, who is nobody's customer.
  customer_id uuid references customer,
  outbox_id uuid primary key,
  kind text not null,
  -- Deliveries to one webhook go one after another.
  webhook_id uuid,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Null: delivered, or given up.
  next_attempt_at timestamptz default now(),
  leased_until timestamptz,
  done_at timestamptz,
  last_status integer,
  last_error text,
  foreign key (customer_id, webhook_id) references webhook on delete cascade,
  check (webhook_id is null or customer_id is not null)
);
call scope_by_customer('outbox');

insert into outbox (customer_id, outbox_id, kind, payload, created_at, attempts, next_attempt_at, done_at, last_error)
select customer_id, mail_id, 'mail',
  jsonb_build_object('to', recipient, 'subject', subject) || case when sent_at is null then jsonb_build_object('text', body) else '{}' end,
  created_at, attempts, case when sent_at is null then next_attempt_at end, sent_at, last_error
from mail_outbox;

insert into outbox (customer_id, outbox_id, kind, webhook_id, payload, created_at, attempts, next_attempt_at, done_at, last_status, last_error)
select customer_id, delivery_id, 'webhook', webhook_id, payload, created_at, attempts, next_attempt_at, delivered_at, last_status, last_error
from webhook_delivery;

drop table mail_outbox, webhook_delivery;

create index outbox_due on outbox (kind, next_attempt_at) where next_attempt_at is not null;
create index outbox_of_webhook on outbox (customer_id, webhook_id, created_at desc) where webhook_id is not null;

create view mail_outbox with (security_invoker = true) as
select customer_id, outbox_id as mail_id, payload ->> 'to' as recipient, payload ->> 'subject' as subject,
  coalesce(payload ->> 'text', '') as body, created_at, attempts, next_attempt_at, done_at as sent_at, last_error
from outbox where kind = 'mail';

create view webhook_delivery with (security_invoker = true) as
select customer_id, outbox_id as delivery_id, webhook_id, payload ->> 'type' as event, (payload ->> 'test')::boolean as test, payload,
  created_at, attempts, next_attempt_at, leased_until, done_at as delivered_at, last_status, last_error
from outbox where kind = 'webhook';

grant select, insert, update, delete on mail_outbox, webhook_delivery to gridmast_tenant, gridmast_system;
