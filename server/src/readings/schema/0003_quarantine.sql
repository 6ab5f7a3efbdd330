-- What devices sent and could not be stored, with the reason; kept 30 days.
create table if not exists gridmast.quarantine (
  received_at DateTime64(3, 'UTC'),
  edge LowCardinality(String),
  topic String,
  reason LowCardinality(String),
  payload String codec(ZSTD(3))
) engine = MergeTree
order by (received_at, edge)
ttl toDateTime(received_at) + interval 30 day
settings fsync_after_insert = 1, fsync_part_directory = 1;
