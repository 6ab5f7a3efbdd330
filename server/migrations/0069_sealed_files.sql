-- Files of sealed records as they were when they became final: whatever is dropped or corrected later, they can be read again.
create table flight_record_file (
  customer_id uuid not null,
  record_no bigint not null,
  subject text not null,
  -- What of its subject it was made of: another one, and it is sealed again.
  made_of text not null,
  -- JSON lines, packed with zstd.
  content bytea not null,
  primary key (customer_id, record_no),
  foreign key (customer_id, record_no) references flight_record
);
create index flight_record_file_of_subject on flight_record_file (customer_id, subject, record_no desc);
call scope_by_customer('flight_record_file');
revoke update, delete on flight_record_file from gridmast_tenant, gridmast_system;
grant update (made_of) on flight_record_file to gridmast_tenant, gridmast_system;
