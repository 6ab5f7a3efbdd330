-- Activations that became one with an older one when late samples closed the rest between them: the id that is gone says where it went.

create table event_moved (
  customer_id uuid not null references customer,
  event_id uuid not null,
  moved_to uuid not null,
  primary key (customer_id, event_id),
  foreign key (customer_id, moved_to) references event on delete cascade
);
create index event_moved_to on event_moved (customer_id, moved_to);
call scope_by_customer('event_moved');
