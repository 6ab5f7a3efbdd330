-- Filters, columns and order of a list under a name, of one user or, without an owner, of the company; `search` is the query of the page's URL.
-- One of them per user and list opens by default.
create table saved_view (
  customer_id uuid not null references customer,
  view_id uuid not null,
  list text not null,
  owner_id uuid,
  name text not null,
  search text not null,
  primary key (customer_id, view_id),
  unique nulls not distinct (customer_id, list, owner_id, name),
  foreign key (customer_id, owner_id) references app_user on delete cascade
);
call scope_by_customer('saved_view');

create table default_view (
  customer_id uuid not null references customer,
  user_id uuid not null,
  list text not null,
  view_id uuid not null,
  primary key (customer_id, user_id, list),
  foreign key (customer_id, user_id) references app_user on delete cascade,
  foreign key (customer_id, view_id) references saved_view on delete cascade
);
call scope_by_customer('default_view');
