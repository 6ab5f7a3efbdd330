-- Budgets of tags and their groups for each calendar month, and what was told and stopped because of them.

alter table charger_tag
  add column budget_dkk numeric(12, 2) check (budget_dkk > 0),
  add column budget_kwh numeric(12, 3) check (budget_kwh > 0),
  add column warn_percent integer not null default 80 check (warn_percent between 1 and 99);
alter table charger_tag_group
  add column budget_dkk numeric(12, 2) check (budget_dkk > 0),
  add column budget_kwh numeric(12, 3) check (budget_kwh > 0),
  add column warn_percent integer not null default 80 check (warn_percent between 1 and 99);

-- Each threshold of a month is told once. The id is a tag's or a group's, which may be deleted since.
create table charging_budget_notice (
  customer_id uuid not null references customer,
  scope_id uuid not null,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  threshold text not null check (threshold in ('warning', 'spent')),
  at timestamptz not null,
  -- What was spent is not any more: a new month, or a larger budget.
  lifted boolean not null default false,
  primary key (customer_id, scope_id, month, threshold)
);
call scope_by_customer('charging_budget_notice');

-- Sessions that were asked to stop because a budget, or what a driver has reserved, is spent: each once.
create table charging_stop (
  customer_id uuid not null,
  transaction_id uuid not null,
  reason text not null check (reason in ('budget', 'payment')),
  command_id uuid not null,
  at timestamptz not null,
  primary key (customer_id, transaction_id),
  foreign key (customer_id, transaction_id) references charger_transaction on delete cascade,
  foreign key (customer_id, command_id) references charger_command
);
call scope_by_customer('charging_stop');
