-- A statement version keeps the key, version and hash of each settlement: {instance: {product: [[day of the month, version, hash], ...]}}.
-- Its amounts are those of that version in settlement and settlement_revision. 60,000 settlements were 12 MB as they were kept before.
update statement_version v set settlements = coalesce((
  select jsonb_object_agg(of_instance.id, of_instance.products) from (
    select of_product.id, jsonb_object_agg(of_product.product, of_product.days) as products from (
      select said ->> 'instanceId' as id, said ->> 'product' as product,
        jsonb_agg(jsonb_build_array(split_part(said ->> 'day', '-', 3)::int, said -> 'version', said -> 'sha') order by said ->> 'day') as days
      from jsonb_array_elements(v.settlements) as said group by 1, 2) of_product
    group by 1) of_instance), '{}')
where jsonb_typeof(v.settlements) = 'array';
