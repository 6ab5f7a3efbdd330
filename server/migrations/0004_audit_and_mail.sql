-- The audit trail (append-only, one hash chain a customer) and the mail outbox, both written in the transaction of the change itself.
create table audit_entry (
  customer_id uuid not null references customer,
  entry_no bigint not null,
  at timestamptz not null,
  user_id uuid,
  who text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  result text not null,
  request_id text,
  previous_sha256 bytea not null,
  sha256 bytea not null,
  primary key (customer_id, entry_no)
);
call scope_by_customer('audit_entry');
revoke update, delete on audit_entry from gridmast_tenant, gridmast_system;

create table mail_outbox (
  customer_id uuid references customer,
  mail_id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text
);
create index mail_outbox_due on mail_outbox (next_attempt_at) where sent_at is null;
call scope_by_customer('mail_outbox');
