-- Roll-ups, one level: see rollups.md. Of each minute the row with the newest stamp counts, and it is one of two kinds:
-- a touch (stamp = version * 2, rolled = 0): raw rows of that version came in, the minute must be read from raw;
-- a roll-up (stamp = version * 2 + 1, rolled = 1): computed from raw rows of which the newest has that version.
create table if not exists gridmast.minutes (
  signal_no UInt32 codec(Delta, ZSTD(1)),
  minute DateTime('UTC') codec(DoubleDelta, ZSTD(1)),
  stamp UInt64 codec(DoubleDelta, ZSTD(1)),
  rolled UInt8 codec(ZSTD(1)),
  count UInt32 codec(ZSTD(1)),
  sum Float64 codec(ZSTD(1)),
  min Float64 codec(ZSTD(1)),
  max Float64 codec(ZSTD(1)),
  first Float64 codec(ZSTD(1)),
  last Float64 codec(ZSTD(1)),
  min_at_ms UInt16 codec(ZSTD(1)),
  max_at_ms UInt16 codec(ZSTD(1)),
  first_at_ms UInt16 codec(ZSTD(1)),
  last_at_ms UInt16 codec(ZSTD(1)),
  index by_stamp stamp type minmax granularity 1
) engine = ReplacingMergeTree(stamp)
partition by toYYYYMM(minute)
order by (signal_no, minute)
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- A touch is written by the very insert that brings the samples. It carries values that change no minimum, maximum, sum or count.
create materialized view if not exists gridmast.samples_touch_minutes to gridmast.minutes as
select
  signal_no,
  toStartOfMinute(ts) as minute,
  max(version) * 2 as stamp,
  0 as rolled,
  0 as count,
  0 as sum,
  inf as min,
  -inf as max,
  0 as first,
  0 as last,
  0 as min_at_ms,
  0 as max_at_ms,
  0 as first_at_ms,
  0 as last_at_ms
from gridmast.samples
group by signal_no, minute;

-- All minutes with a version up to this one are rolled up: where the search for forgotten minutes starts.
create table if not exists gridmast.rollup_progress (
  name LowCardinality(String),
  version SimpleAggregateFunction(max, UInt64)
) engine = AggregatingMergeTree
order by name;
