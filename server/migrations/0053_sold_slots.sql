-- What was sold of an instance in a slot: asked whenever an activation of it is looked at.
create index bid_sold_slot on bid (customer_id, instance_id, market, starts_at) where won;
