-- When a user last had home open, and the end of the visit before: a visit ends 30 minutes after home was last open.
create table home_visit (
  customer_id uuid not null references customer,
  user_id uuid not null,
  seen_at timestamptz not null,
  previous_at timestamptz,
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references app_user on delete cascade
);
call scope_by_customer('home_visit');
