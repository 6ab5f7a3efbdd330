-- Plans that wait are taken from one customer after the other, and one whose process dies each time is not tried for ever.
alter table load_plan add column tries integer not null default 0;
create index load_plan_served on load_plan (customer_id, started_at desc);
