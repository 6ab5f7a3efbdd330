-- The newest entry of a customer's trail, in one step with the lock under which the next is written. A volatile function sees what was
-- committed while it waited for the lock.
create function audit_tail(of_customer uuid) returns table (entry_no bigint, sha256 bytea) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_customer::text, 4));
  return query
    select e.entry_no, e.sha256 from audit_entry e where e.customer_id = of_customer order by e.entry_no desc limit 1;
end $$;
