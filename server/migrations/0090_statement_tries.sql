-- Failed tries to mail a statement of a month, so that one that cannot be made or queued is not made again every five minutes.
-- A row goes with its reader; a reader that is added again starts anew.

create table statement_failure (
  customer_id uuid not null references customer,
  reader_id uuid not null,
  -- '2026-10'
  month text not null,
  tries integer not null,
  -- Null once it is given up.
  next_try_at timestamptz,
  primary key (customer_id, reader_id, month),
  foreign key (customer_id, reader_id) references statement_reader on delete cascade
);
call scope_by_customer('statement_failure');
