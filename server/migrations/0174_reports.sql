-- Reports: an export of the portal (`address`, the path and query of its call) that is mailed daily, weekly or monthly with the rights of its owner.
-- A change of `next_at` and the mails of a report are one transaction, so that each report is mailed once.
create table report (
  customer_id uuid not null references customer,
  report_id uuid not null,
  owner_id uuid not null,
  name text not null,
  address text not null,
  every text not null check (every in ('daily', 'weekly', 'monthly')),
  -- Local time, '07:00'
  at_time text not null,
  format text not null check (format in ('xlsx', 'pdf')),
  skip_empty boolean not null,
  paused boolean not null default false,
  next_at timestamptz not null,
  -- 'Send now'
  requested_at timestamptz,
  -- After a failure; null: at next_at.
  retry_at timestamptz,
  tries integer not null default 0,
  last_at timestamptz,
  last_result text,
  primary key (customer_id, report_id),
  foreign key (customer_id, owner_id) references app_user on delete cascade
);
call scope_by_customer('report');

create table report_reader (
  customer_id uuid not null references customer,
  reader_id uuid not null,
  report_id uuid not null,
  email text not null,
  primary key (customer_id, reader_id),
  foreign key (customer_id, report_id) references report on delete cascade
);
create unique index report_reader_once on report_reader (customer_id, report_id, lower(email));
call scope_by_customer('report_reader');
