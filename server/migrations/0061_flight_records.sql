-- Sealed files of events and settled days: what each of them held when it was first written, one hash chain a customer, append only.
create table flight_record (
  customer_id uuid not null references customer,
  record_no bigint not null,
  sealed_at timestamptz not null,
  -- 'event <id>' or 'settlement <instance> <day> <product>'.
  subject text not null,
  content_sha256 bytea not null,
  previous_sha256 bytea not null,
  sha256 bytea not null,
  primary key (customer_id, record_no)
);
create index flight_record_of_subject on flight_record (customer_id, subject, record_no desc);
call scope_by_customer('flight_record');
revoke update, delete on flight_record from gridmast_tenant, gridmast_system;

-- The newest record of a customer's chain, in one step with the lock under which the next is written.
create function flight_record_tail(of_customer uuid) returns table (record_no bigint, sha256 bytea) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_customer::text, 5));
  return query
    select r.record_no, r.sha256 from flight_record r where r.customer_id = of_customer order by r.record_no desc limit 1;
end $$;
