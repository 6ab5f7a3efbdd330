-- When the metering points of a key were last listed, so that meters which a company gets later appear by themselves, and until when a
-- process has taken that on.
alter table meter_group
  add column listed_at timestamptz,
  add column claimed_until timestamptz;
