-- Roll-ups, one level: see rollups.md. Of each minute the row computed from the newest raw version counts.
create table if not exists gridmast.minutes (
  signal_no UInt32 codec(Delta, ZSTD(1)),
  minute DateTime('UTC') codec(DoubleDelta, ZSTD(1)),
  version UInt64 codec(DoubleDelta, ZSTD(1)),
  count UInt32 codec(ZSTD(1)),
  sum Float64 codec(ZSTD(1)),
  min Float64 codec(ZSTD(1)),
  max Float64 codec(ZSTD(1)),
  first Float64 codec(ZSTD(1)),
  last Float64 codec(ZSTD(1)),
  min_at_ms UInt16 codec(ZSTD(1)),
  max_at_ms UInt16 codec(ZSTD(1)),
  first_at_ms UInt16 codec(ZSTD(1)),
  last_at_ms UInt16 codec(ZSTD(1))
) engine = ReplacingMergeTree(version)
partition by toYYYYMM(minute)
order by (signal_no, minute)
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- Every raw row with a version up to this one is in the roll-ups.
create table if not exists gridmast.rollup_progress (
  name LowCardinality(String),
  version SimpleAggregateFunction(max, UInt64)
) engine = AggregatingMergeTree
order by name
settings fsync_after_insert = 1, fsync_part_directory = 1;
