-- Commands given to equipment by hand: who, what, when, and the edge's answer in its own words (security rules C1, C4). A row is committed
-- before its message is sent. One is open for each edge; one that a crashed process left open gives way to the next once it has expired.
create table equipment_command (
  customer_id uuid not null references customer,
  command_id uuid not null,
  edge_id uuid not null,
  -- Null: every instance of the edge is released.
  instance_id uuid,
  -- The name of the instance or the edge, as the audit trail has it.
  target text not null,
  user_id uuid not null,
  action text not null,
  test_type text not null,
  set_point integer not null check (set_point between 0 and 100 and set_point % 10 = 0),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  held_until timestamptz not null,
  -- Taken by the process that sends it, so that it is sent once at most.
  sent_at timestamptz,
  is_open boolean not null default true,
  status text,
  detail text,
  answered_at timestamptz,
  late_status text,
  late_at timestamptz,
  primary key (customer_id, command_id),
  foreign key (customer_id, edge_id) references edge,
  foreign key (customer_id, instance_id) references instance,
  check (set_point = 0 or instance_id is not null),
  check (is_open = (status is null))
);
create unique index equipment_command_open on equipment_command (customer_id, edge_id) where is_open;
create index equipment_command_newest on equipment_command (customer_id, edge_id, issued_at desc);
call scope_by_customer('equipment_command');

create trigger tell_command after insert on equipment_command for each row execute function tell_change('command', 'command_id');
create trigger tell_answer after update of is_open on equipment_command for each row
  when (old.is_open and not new.is_open) execute function tell_change('command-answer', 'command_id');
