-- Work that one process does at a time: the holder renews its row, another process takes it over when the renewals stop.
create table lease (
  name text primary key,
  holder uuid not null,
  renewed_at timestamptz not null
);
grant select, insert, update, delete on lease to gridmast_system;
