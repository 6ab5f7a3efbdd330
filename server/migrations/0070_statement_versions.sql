-- What the statement of a month said: known by the hash of it, so that one that is made again with nothing changed is the same version.
create table statement_version (
  customer_id uuid not null references customer,
  -- '2026-10'
  month text not null,
  version integer not null,
  made_at timestamptz not null,
  sha256 bytea not null,
  -- Each settlement as it was, so that the next version can say what changed.
  settlements jsonb not null,
  primary key (customer_id, month, version)
);
call scope_by_customer('statement_version');
alter table statement_sent add column version integer;
