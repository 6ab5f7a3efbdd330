-- Edges and instances that users add in the portal, refused attempts of edges, and hidden first steps.
-- Provisioning keeps rows with `registered_by`: they are not in its file.
alter table edge add column registered_by uuid;
alter table instance add column registered_by uuid;
alter table app_user add column first_steps_hidden boolean not null default false;

create table edge_refusal (
  customer_id uuid not null,
  edge_id uuid not null,
  reason text not null,
  topic text,
  refused_count bigint not null,
  last_at timestamptz not null,
  primary key (customer_id, edge_id, reason),
  foreign key (customer_id, edge_id) references edge on delete cascade
);
call scope_by_customer('edge_refusal');
