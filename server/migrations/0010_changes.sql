-- Tells every process what it must no longer believe: ended sessions, changed rights, changed edges. It goes out with the commit, whoever
-- made the change: a call, provisioning or a hand in psql. Processes listen (platform/news.ts); the embedded store has no listener.
create function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('gridmast_change', tg_argv[0] || ':' || (to_jsonb(coalesce(new, old)) ->> tg_argv[1]));
  return null;
end $$;

create trigger tell_end after update of ended_at on user_session for each row
  when (new.ended_at is distinct from old.ended_at) execute function tell_change('session', 'session_id');
create trigger tell_end after update of revoked_at on api_key for each row
  when (new.revoked_at is distinct from old.revoked_at) execute function tell_change('session', 'key_id');

create trigger tell_rights after update of role, allowed, enabled on app_user for each row
  when ((new.role, new.allowed, new.enabled) is distinct from (old.role, old.allowed, old.enabled))
  execute function tell_change('user', 'user_id');
create trigger tell_removal after delete on app_user for each row execute function tell_change('user', 'user_id');
create trigger tell_rights after update on customer for each row execute function tell_change('customer', 'customer_id');
create trigger tell_rights after insert or update or delete on licence for each row execute function tell_change('customer', 'customer_id');

create trigger tell_edge after insert or delete on edge for each row execute function tell_change('edges', 'customer_id');
-- Not the columns that an edge's own reports change every few seconds.
create trigger tell_edge_change after update on edge for each row
  when (to_jsonb(new) - '{online,last_reported_at,code_version}'::text[] is distinct from to_jsonb(old) - '{online,last_reported_at,code_version}'::text[])
  execute function tell_change('edges', 'customer_id');
create trigger tell_edge after insert or update or delete on instance for each row execute function tell_change('edges', 'customer_id');
create trigger tell_edge after insert or update or delete on signal for each row execute function tell_change('edges', 'customer_id');
