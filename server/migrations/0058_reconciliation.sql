-- The operator's statements beside what was settled: each line with the difference, what it comes from, and who settled it how.
-- A settlement that is made or corrected afterwards is compared again; what was marked as settled stays so and says that it has changed.

create table operator_statement (
  customer_id uuid not null references customer,
  statement_id uuid not null,
  name text not null,
  sha256 bytea not null,
  taken_at timestamptz not null,
  taken_by text not null,
  -- {"mw": "Accepted (MW)"}: the next statement is read alike.
  columns jsonb not null,
  first_day date not null,
  last_day date not null,
  products text[] not null,
  -- What is compared: 'gross', or 'customer' for the share of the company.
  compares text not null,
  left_out integer not null,
  primary key (customer_id, statement_id),
  unique (customer_id, sha256)
);
create index operator_statement_newest on operator_statement (customer_id, taken_at desc);
call scope_by_customer('operator_statement');

create table operator_statement_line (
  customer_id uuid not null,
  statement_id uuid not null,
  line_id uuid not null,
  instance_id uuid not null,
  day date not null,
  product text not null,
  -- Null of what the statement leaves out.
  row_no integer,
  auction text,
  -- {"starts": [ms, both passes of a repeated hour], "slot": 3}; empty of a whole day.
  period jsonb not null,
  starts_at timestamptz,
  -- As the file says it, and as it is settled: MW, price, percent, amounts.
  theirs jsonb,
  ours jsonb,
  kind text not null,
  ours_eur numeric(14, 2),
  theirs_eur numeric(14, 2),
  difference_eur numeric(14, 2),
  -- They add up to the difference.
  volume_eur numeric(14, 2),
  price_eur numeric(14, 2),
  availability_eur numeric(14, 2),
  share_eur numeric(14, 2),
  other_eur numeric(14, 2),
  version integer,
  settled_at timestamptz,
  settled_by text,
  note text,
  settled_difference_eur numeric(14, 2),
  settled_version integer,
  primary key (customer_id, statement_id, line_id),
  foreign key (customer_id, statement_id) references operator_statement on delete cascade,
  foreign key (customer_id, instance_id) references instance
);
create index operator_statement_line_of_day on operator_statement_line (customer_id, statement_id, instance_id, day, product);
call scope_by_customer('operator_statement_line');

-- Days whose settlements came or changed after the statement was taken.
create table reconciliation_due (
  customer_id uuid not null,
  statement_id uuid not null,
  instance_id uuid not null,
  day date not null,
  product text not null,
  primary key (customer_id, statement_id, instance_id, day, product),
  foreign key (customer_id, statement_id) references operator_statement on delete cascade
);
call scope_by_customer('reconciliation_due');

create function mark_reconciliation_due() returns trigger language plpgsql as $$
begin
  insert into reconciliation_due (customer_id, statement_id, instance_id, day, product)
  select distinct c.customer_id, s.statement_id, c.instance_id, c.day, c.product
  from changed_rows c
  join operator_statement s on s.customer_id = c.customer_id and c.day between s.first_day and s.last_day and c.product = any(s.products)
  order by 1, 2, 3, 4, 5
  on conflict do nothing;
  return null;
end $$;
create trigger mark_reconciliation_due after insert on settlement referencing new table as changed_rows
  for each statement execute function mark_reconciliation_due();
create trigger mark_reconciliation_due_again after update on settlement referencing new table as changed_rows
  for each statement execute function mark_reconciliation_due();
create trigger mark_reconciliation_due_without after delete on settlement referencing old table as changed_rows
  for each statement execute function mark_reconciliation_due();
