-- Monthly statements: who gets which by mail, and what was sent to whom, so that nobody gets one twice.

create table statement_reader (
  customer_id uuid not null references customer,
  reader_id uuid not null,
  email text not null,
  -- 'settlement', or 'charging' of a tag group; of the tags without a group where none is named.
  kind text not null,
  group_id uuid,
  created_at timestamptz not null,
  created_by text not null,
  primary key (customer_id, reader_id),
  foreign key (customer_id, group_id) references charger_tag_group on delete cascade
);
create unique index statement_reader_once on statement_reader (customer_id, kind, coalesce(group_id, customer_id), lower(email));
call scope_by_customer('statement_reader');

create table statement_sent (
  customer_id uuid not null references customer,
  -- '2026-10'
  month text not null,
  kind text not null,
  -- The tag group; the customer itself of what has none.
  subject_id uuid not null,
  -- In small letters.
  email text not null,
  sent_at timestamptz not null,
  primary key (customer_id, month, kind, subject_id, email)
);
call scope_by_customer('statement_sent');
