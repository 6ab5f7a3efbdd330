-- Customers, their people and sessions; the two roles that requests run as.
-- Row-level security is forced on every tenant table: no tenant set, no rows (security rule T2).
do $$ begin
  if not exists (select from pg_roles where rolname = 'gridmast_tenant') then create role gridmast_tenant nologin; end if;
  if not exists (select from pg_roles where rolname = 'gridmast_system') then create role gridmast_system nologin; end if;
end $$;
grant gridmast_tenant, gridmast_system to current_user;
grant usage on schema public to gridmast_tenant, gridmast_system;

create function current_customer() returns uuid language sql stable
  as $$ select nullif(current_setting('gridmast.customer', true), '')::uuid $$;

-- Puts a table under tenant scoping: requests see their customer's rows, system work sees all.
create procedure scope_by_customer(tenant_table regclass, key_column text default 'customer_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('create policy tenant on %s to gridmast_tenant using (%I = (select current_customer()))', tenant_table, key_column);
  execute format('create policy system on %s to gridmast_system using (true) with check (true)', tenant_table);
  execute format('grant select, insert, update, delete on %s to gridmast_tenant, gridmast_system', tenant_table);
end $$;

create table customer (
  customer_id uuid primary key,
  key text not null unique,
  name text not null,
  logo text,
  primary_color text not null default '#0b2545',
  true_green boolean not null default false,
  areas text[] not null default '{}',
  bidding_markets text[] not null default '{}',
  properties jsonb not null default '{}',
  address jsonb not null default '{}',
  e3_dashboard_config jsonb not null default '{}',
  created_at timestamptz not null default now()
);
call scope_by_customer('customer');
revoke insert, delete on customer from gridmast_tenant;

create table app_user (
  customer_id uuid not null references customer,
  user_id uuid not null,
  email text not null,
  name text not null,
  contact text,
  country_code text,
  role text not null,
  allowed jsonb not null default '{}',
  password_hash text not null,
  password_updated_at timestamptz not null,
  profile_image text,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (customer_id, user_id)
);
create unique index app_user_email on app_user (lower(email));
create unique index app_user_id on app_user (user_id);
call scope_by_customer('app_user');

create table user_session (
  customer_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  token_sha256 bytea not null,
  remembered boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_until timestamptz not null,
  absolute_until timestamptz not null,
  ended_at timestamptz,
  user_agent text,
  primary key (customer_id, session_id),
  foreign key (customer_id, user_id) references app_user on delete cascade
);
create unique index user_session_token on user_session (token_sha256);
call scope_by_customer('user_session');
