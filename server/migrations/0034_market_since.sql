-- Since when an instance answers each of its markets: set where it joins one, and for all of them where it comes back into use or bids again.
-- A market without an entry is as old as the instance.
alter table instance add column market_since jsonb not null default '{}';

create function keep_market_since() returns trigger language plpgsql as $$
begin
  select coalesce(jsonb_object_agg(market, since), '{}') into new.market_since
  from (
    select market, case when old.enabled and old.bid_active and market = any (old.markets) then old.market_since -> market else to_jsonb(now()) end as since
    from unnest(new.markets) as market
  ) as each
  where since is not null;
  return new;
end $$;
create trigger keep_market_since before update of markets, enabled, bid_active on instance for each row
  when ((new.markets, new.enabled, new.bid_active) is distinct from (old.markets, old.enabled, old.bid_active))
  execute function keep_market_since();
