-- A person's name and address can be removed from the audit trail, and the oldest entries by a retention, while its hash chain stays verifiable
-- (docs/adr/0014-erasure-and-the-audit-chain.md).

-- The number of the entry 'user.erase' that names this entry and the hash of its present content; `sha256` stays that of the first content.
alter table audit_entry add column erased_by bigint;

-- The last entry that a retention removed: the chain continues with its hash. The entry `cut_by` names both.
create table audit_anchor (
  customer_id uuid primary key references customer,
  entry_no bigint not null,
  sha256 bytea not null,
  cut_by bigint not null
);
call scope_by_customer('audit_anchor');
revoke insert, update, delete on audit_anchor from gridmast_tenant, gridmast_system;
