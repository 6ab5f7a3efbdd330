import type { Table } from '#operator/people-data/person-tables.ts'

/** What bounds each table; docs/operations/growth.md has the same list. */
type Bound =
  /** Rows for things that users or the operator configure, and the newest state of each; removed or replaced with them. */
  | 'configuration'
  /** Work that is due: removed when it is done. */
  | 'work'
  /** A constant of the program: removed after days, or a ring. */
  | 'constant'
  /** Public market data: the same for all customers. */
  | 'published'
  /** Evidence of money or delivery: kept for ever. */
  | 'bookkeeping'
  /** A setting, with a default. */
  | 'RETENTION_MESSAGES_DAYS'
  | 'RETENTION_COMMANDS_DAYS'
  | 'RETENTION_ALERTS_DAYS'
  | 'RETENTION_PLANS_DAYS'
  /** A setting; without it rows are kept for ever, because money depends on them. */
  | 'RETENTION_AUDIT_DAYS'
  | 'RETENTION_REGISTERS_DAYS'
  | 'RETENTION_EVENTS_DAYS'
  | 'RETENTION_REVISIONS_DAYS'

export const tableGrowth: Record<Table, Bound> = {
  activation_digest: 'configuration',
  address_confirmation: 'configuration',
  alert: 'configuration',
  alert_mail: 'configuration',
  alert_mute: 'configuration',
  alert_progress: 'configuration',
  alert_trigger: 'RETENTION_ALERTS_DAYS',
  api_key: 'configuration',
  app_user: 'configuration',
  application_version: 'configuration',
  attempt: 'constant',
  audit_anchor: 'configuration',
  audit_entry: 'RETENTION_AUDIT_DAYS',
  backfill_month: 'published',
  bid: 'bookkeeping',
  bid_file: 'bookkeeping',
  bid_request: 'bookkeeping',
  bid_result: 'bookkeeping',
  bid_result_file: 'bookkeeping',
  charger: 'configuration',
  charger_command: 'RETENTION_COMMANDS_DAYS',
  charger_connector: 'configuration',
  charger_deviation: 'configuration',
  charger_frames: 'constant',
  charger_limit: 'configuration',
  charger_local_list: 'configuration',
  charger_message: 'RETENTION_MESSAGES_DAYS',
  charger_register: 'RETENTION_REGISTERS_DAYS',
  charger_schedule: 'configuration',
  charger_signal: 'configuration',
  charger_tag: 'configuration',
  charger_tag_group: 'configuration',
  charger_transaction: 'bookkeeping',
  charger_unknown: 'constant',
  charger_variable: 'configuration',
  charging_budget_notice: 'constant',
  charging_choice: 'configuration',
  charging_cost: 'bookkeeping',
  charging_due: 'work',
  charging_price: 'configuration',
  charging_site: 'configuration',
  charging_site_signal: 'configuration',
  charging_stop: 'bookkeeping',
  charging_watermark: 'configuration',
  command_log: 'RETENTION_COMMANDS_DAYS',
  connector_run: 'constant',
  connector_state: 'configuration',
  connector_token: 'configuration',
  customer: 'configuration',
  edge: 'configuration',
  edge_config: 'configuration',
  edge_event: 'RETENTION_EVENTS_DAYS',
  email_subscription: 'configuration',
  equipment_command: 'RETENTION_COMMANDS_DAYS',
  erased_tenant: 'bookkeeping',
  event: 'RETENTION_EVENTS_DAYS',
  event_moved: 'RETENTION_EVENTS_DAYS',
  event_progress: 'configuration',
  exchange_rate: 'published',
  flight_record: 'bookkeeping',
  flight_record_file: 'bookkeeping',
  frequency_signal: 'configuration',
  instance: 'configuration',
  instance_contract: 'configuration',
  instance_schedule: 'configuration',
  job: 'configuration',
  lease: 'configuration',
  licence: 'configuration',
  load_backtest: 'RETENTION_PLANS_DAYS',
  load_plan: 'RETENTION_PLANS_DAYS',
  mailed_activation: 'constant',
  market_gate: 'configuration',
  market_price: 'published',
  market_price_revision: 'RETENTION_REVISIONS_DAYS',
  meter: 'configuration',
  meter_day: 'bookkeeping',
  meter_day_revision: 'RETENTION_REVISIONS_DAYS',
  meter_group: 'configuration',
  meter_month: 'bookkeeping',
  note: 'configuration',
  ocpp_process: 'constant',
  one_time_code: 'constant',
  operator_statement: 'bookkeeping',
  operator_statement_line: 'bookkeeping',
  outbox: 'constant',
  payment: 'bookkeeping',
  payment_account: 'configuration',
  payment_event: 'bookkeeping',
  payment_operation: 'bookkeeping',
  price_signal: 'configuration',
  public_signal: 'published',
  reconciliation_due: 'work',
  schema_migration: 'configuration',
  scope_2_factor: 'bookkeeping',
  scope_2_meter: 'bookkeeping',
  scope_2_report: 'bookkeeping',
  settlement: 'bookkeeping',
  settlement_due: 'work',
  settlement_revision: 'RETENTION_REVISIONS_DAYS',
  settlement_watermark: 'configuration',
  signal: 'configuration',
  sold_risk: 'RETENTION_ALERTS_DAYS',
  statement_failure: 'work',
  statement_reader: 'configuration',
  statement_sent: 'bookkeeping',
  statement_version: 'bookkeeping',
  support_note: 'configuration',
  tariff: 'published',
  user_session: 'constant',
  webhook: 'configuration',
}
