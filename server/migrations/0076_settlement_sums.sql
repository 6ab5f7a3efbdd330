-- What the sums of a page of settlements are made of, beside the days that are asked for: a settlement is wide by its inputs, and a month of
-- 50,000 of them was read whole for three numbers. Enablers are few and short (a contract names ten at most), so that an entry stays small.
drop index settlement_by_day;
create index settlement_by_day on settlement (customer_id, day, instance_id, product)
  include (is_result_fetched, won_mw, gross_eur, energy_eur, energy_state, customer_eur, partner_eur, sc_eur, enablers);
