-- Tells the processes that work on the outbox of what was queued, with the commit: it goes out at once and not with their next look,
-- whichever process queued it (platform/news.ts).
create function tell_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('gridmast_change', 'outbox:');
  return null;
end $$;
create trigger tell_queued after insert on outbox for each statement execute function tell_outbox();
