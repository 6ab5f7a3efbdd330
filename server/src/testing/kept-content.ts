/** Stores the initial rows, sequences and table definitions of a test store in a schema of its own. */
export const keepContent = `
create schema kept;
create function kept.shape() returns text language sql as $$
  select md5(string_agg(line, ' ' order by line)) from (
    select concat(c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attisdropped, c.relrowsecurity, c.relforcerowsecurity, c.relacl)
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 where c.relnamespace = 'public'::regnamespace
    union all select concat(conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat(tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all select concat(polrelid::regclass, polname, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
    union all select concat(oid::regprocedure, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
  ) shape (line)
$$;
create view kept.public_table as
  select c.relname as name, (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
  ) as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r';
do $$
declare t record;
begin
  for t in select * from kept.public_table loop
    execute format('create table kept.%I as select %s from public.%1$I', t.name, t.columns);
  end loop;
end $$;
create table kept.counter as
  select format('%I.%I', schemaname, sequencename)::regclass as name, last_value from pg_sequences where schemaname = 'public';
create table kept.first_shape as select kept.shape() as shape;`

/** Restores the initial content with triggers and foreign keys disabled; drops the job queue's schema. */
export const startAnew = `
drop schema if exists jobs cascade;
set session_replication_role = replica;
do $$
declare t record;
begin
  execute (select 'truncate ' || string_agg(format('public.%I', name), ', ') from kept.public_table);
  for t in select * from kept.public_table join pg_tables on schemaname = 'kept' and tablename = name loop
    execute format('insert into public.%I (%s) overriding system value select * from kept.%1$I', t.name, t.columns);
  end loop;
end $$;
select setval(name, coalesce(last_value, 1), last_value is not null) from kept.counter;
reset session_replication_role;`
