-- Notes of people at a time, shown on the power charts of an instance, or of all instances of the company.
-- A note of one instant ends when it begins.
create table note (
  customer_id uuid not null references customer,
  note_id uuid not null,
  instance_id uuid,
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at >= from_at),
  text text not null,
  author_id uuid not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (customer_id, note_id),
  foreign key (customer_id, instance_id) references instance
);
create index note_time on note (customer_id, from_at);
call scope_by_customer('note');
