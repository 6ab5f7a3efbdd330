-- One-time codes and links, second factors, what slows guessing down, API keys and webhooks with their deliveries.
-- Secrets stand here as hashes; those that must be read again (authenticator, webhook signing) are sealed with SECRET_KEY.
alter table app_user
  add column totp_sealed bytea,
  -- A new secret until a code of it confirms that the app has it; the one in force stays until then.
  add column totp_pending_sealed bytea,
  add column totp_confirmed_at timestamptz,
  add column totp_last_step bigint;
alter table customer add column second_factor_required boolean not null default false;
alter table user_session add column address text;

-- Codes by mail, sign-in links, second-factor challenges, recovery codes and handoffs to the admin portal: each works once.
create table one_time_code (
  customer_id uuid not null,
  code_id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('reset', 'login-link', 'challenge', 'recovery', 'handoff')),
  hmac bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  tries integer not null default 0,
  used_at timestamptz,
  primary key (customer_id, code_id),
  foreign key (customer_id, user_id) references app_user on delete cascade
);
create index one_time_code_hmac on one_time_code (purpose, hmac);
create index one_time_code_user on one_time_code (customer_id, user_id, purpose);
call scope_by_customer('one_time_code');

-- Counts what was tried by whom, known or not: delays of sign-in, countdown and daily number of codes. Keys are HMACs.
create table attempt (
  kind text not null,
  key bytea not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  primary key (kind, key)
);
create index attempt_last_at on attempt (last_at);
grant select, insert, update, delete on attempt to gridmast_system;

create table api_key (
  customer_id uuid not null,
  key_id uuid not null,
  user_id uuid not null,
  name text not null,
  token_sha256 bytea not null,
  ending text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (customer_id, key_id),
  foreign key (customer_id, user_id) references app_user on delete cascade
);
create unique index api_key_token on api_key (token_sha256);
call scope_by_customer('api_key');

create table webhook (
  customer_id uuid not null references customer,
  webhook_id uuid not null,
  name text not null,
  url text not null,
  secret_sealed bytea not null,
  events text[] not null,
  enabled boolean not null,
  created_at timestamptz not null,
  primary key (customer_id, webhook_id)
);
call scope_by_customer('webhook');

create table webhook_delivery (
  customer_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  event text not null,
  test boolean not null default false,
  payload jsonb not null,
  created_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  last_status integer,
  last_error text,
  primary key (customer_id, delivery_id),
  foreign key (customer_id, webhook_id) references webhook on delete cascade
);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where next_attempt_at is not null;
create index webhook_delivery_of on webhook_delivery (customer_id, webhook_id, created_at desc);
call scope_by_customer('webhook_delivery');

-- The reader of the audit trail filters by time and by action.
create index audit_entry_at on audit_entry (customer_id, at);
