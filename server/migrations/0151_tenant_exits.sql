-- Customers whose data was handed over and erased: written when the erasure begins, and the only row that outlives it. No personal data.
create table erased_tenant (
  erasure_id uuid primary key,
  former_id uuid not null unique, -- no table of customers: the customer is gone
  customer_key text not null,
  started_at timestamptz not null,
  -- SHA-256 of the index of the exported data.
  index_sha256 text not null,
  -- Rows of each table, and samples.
  counts jsonb not null,
  -- Numbers of the erased series and keys of the edges: an interrupted erasure continues with them.
  signal_nos integer[] not null,
  edge_keys text[] not null,
  finished_at timestamptz,
  certificate_sha256 text
);
grant select, insert, update on erased_tenant to gridmast_system;
