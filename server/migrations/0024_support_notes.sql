-- Support notes: what a customer's people write to the operator's support team.
-- Versions: what the operator says of the applications beside Gridmast, from the provisioning file; the same for every customer.
create table support_note (
  customer_id uuid not null references customer,
  note_id uuid not null,
  title text not null,
  description text not null,
  -- The day that the form calls created.
  released date not null,
  -- Off: closed. It stays readable.
  enable boolean not null,
  primary key (customer_id, note_id)
);
call scope_by_customer('support_note');

create table application_version (
  version_id uuid primary key,
  title text not null,
  application text not null,
  released date not null,
  description text not null,
  enable boolean not null
);
grant select on application_version to gridmast_tenant;
grant select, insert, update, delete on application_version to gridmast_system;
