import type { DB } from '#platform/records/db-types.ts'

/**
 * What a column holds of a person:
 * `user`: the id of the account; `address`: the person's address, to which something is sent or which identifies the row; `by`: name or address
 * of the person who acted; `holder`: name or address of the person to whom a thing belongs; `tag`: the number of such a tag;
 * `text`, `json`: values in which the address may occur; `own`: further data of the person, removed with the row; `secret`: never exported.
 */
export type Holds = 'user' | 'address' | 'by' | 'holder' | 'tag' | 'text' | 'json' | 'own' | 'secret'

export type Table = Exclude<keyof DB, 'mail_outbox' | 'webhook_delivery'>

type PersonTable<T extends Table> = {
  heading: string
  columns: { readonly [C in keyof DB[T]]?: Holds }
  /** SQL of the address where no column has it alone. */
  address?: string
  /** Erasure deletes rows of the person (`user`, `address`, `holder`), or replaces name and address in them. Rows found otherwise are always kept. */
  erasure: 'delete' | 'replace'
  /** Columns that erasure sets in addition. */
  set?: { readonly [C in keyof DB[T]]?: unknown }
  /** Why rows are kept. */
  kept?: string
}

const bookkeeping = 'bookkeeping: the row is evidence of a transaction'
const company = 'the row is the data of the company'

/** Tables with data of people, in the order of erasure. Export, erasure and the test of new columns read this list. */
export const personTables: { readonly [T in Table]?: PersonTable<T> } = {
  user_session: {
    heading: 'Sessions',
    columns: {
      user_id: 'user',
      token_sha256: 'secret',
      wall_name: 'own',
      wall_show: 'own',
      user_agent: 'own',
      address: 'own',
    },
    erasure: 'delete',
  },
  one_time_code: {
    heading: 'One-time codes',
    columns: { user_id: 'user', hmac: 'secret', detail: 'text', wall_show: 'own' },
    erasure: 'delete',
  },
  api_key: {
    heading: 'API keys',
    columns: { user_id: 'user', name: 'own', token_sha256: 'secret' },
    erasure: 'delete',
  },
  home_visit: {
    heading: 'Visits of home',
    columns: { user_id: 'user', seen_at: 'own', previous_at: 'own' },
    erasure: 'delete',
  },
  default_view: { heading: 'Default views', columns: { user_id: 'user' }, erasure: 'delete' },
  saved_view: {
    heading: 'Saved views',
    columns: { owner_id: 'user', name: 'own', search: 'text' },
    erasure: 'delete',
  },
  alert_mute: { heading: 'Muted notifications', columns: { user_id: 'user' }, erasure: 'delete' },
  push_device: {
    heading: 'Devices with notifications',
    columns: { user_id: 'user', endpoint: 'secret', p256dh: 'secret', auth: 'secret' },
    erasure: 'delete',
  },
  email_subscription: { heading: 'Email subscriptions', columns: { email: 'address' }, erasure: 'delete' },
  activation_digest: { heading: 'Mails of activations', columns: { email: 'address' }, erasure: 'delete' },
  alert_mail: { heading: 'Mails of alerts', columns: { email: 'address' }, erasure: 'delete' },
  address_confirmation: {
    heading: 'Confirmed addresses',
    columns: { email: 'address', token_sha256: 'secret' },
    erasure: 'delete',
  },
  report: {
    heading: 'Reports',
    columns: { owner_id: 'user', name: 'own', address: 'text' },
    erasure: 'delete',
  },
  report_reader: {
    heading: 'Recipients of reports',
    columns: { email: 'address' },
    erasure: 'delete',
  },
  statement_reader: {
    heading: 'Recipients of monthly statements',
    columns: { email: 'address', created_by: 'by' },
    erasure: 'delete',
  },
  statement_sent: { heading: 'Monthly statements sent', columns: { email: 'address' }, erasure: 'delete' },
  outbox: {
    heading: 'Mails queued or sent',
    columns: { payload: 'json', last_error: 'text' },
    address: "payload ->> 'to'",
    erasure: 'delete',
  },
  alert: {
    heading: 'Alerts',
    columns: { email: 'address', name: 'text' },
    erasure: 'replace',
    set: { notification: false },
    kept: company,
  },
  alert_trigger: {
    heading: 'Triggered alerts',
    columns: { acknowledged_by: 'by', comment: 'text', name: 'text', about: 'json' },
    erasure: 'replace',
    kept: company,
  },
  equipment_command: {
    heading: 'Commands to equipment',
    columns: { user_id: 'user', detail: 'text' },
    erasure: 'replace',
    kept: company,
  },
  charger_command: {
    heading: 'Commands to chargers',
    columns: { user_id: 'user', asked: 'json' },
    erasure: 'replace',
    kept: company,
  },
  charger: {
    heading: 'Registered chargers',
    columns: { registered_by: 'user', description: 'text', password_hash: 'secret', previous_hash: 'secret' },
    erasure: 'replace',
    kept: company,
  },
  edge: {
    heading: 'Added edge gateways',
    columns: { registered_by: 'user', password_hash: 'secret' },
    erasure: 'replace',
    kept: company,
  },
  instance: {
    heading: 'Added instances',
    columns: { registered_by: 'user' },
    erasure: 'replace',
    kept: company,
  },
  charger_limit: {
    heading: 'Limits of connectors',
    columns: { hand_by: 'by', hand_reason: 'text' },
    erasure: 'replace',
    kept: company,
  },
  charger_tag: {
    heading: 'Charging tags',
    columns: { name: 'holder', tag: 'tag' },
    erasure: 'replace',
    set: { active: false },
    kept: bookkeeping,
  },
  charger_transaction: {
    heading: 'Charging sessions',
    columns: { tag: 'tag', energy_reviewed_by: 'by', energy_reason: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  charger_message: {
    heading: 'Messages of chargers about sessions',
    columns: { natural_key: 'tag', answer: 'text' },
    erasure: 'replace',
    kept: 'the row answers repeated messages; RETENTION_MESSAGES_DAYS removes it',
  },
  charger_frames: {
    heading: 'Newest messages of chargers',
    columns: { frames: 'json' },
    erasure: 'replace',
    kept: 'a ring of the newest messages',
  },
  charger_local_list: {
    heading: 'Tags stored in chargers',
    columns: { entries: 'json' },
    erasure: 'replace',
    kept: 'the charger receives the changed list',
  },
  payment: {
    heading: 'Payments',
    columns: { user_id: 'user', redirect_url: 'own' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  payment_event: {
    heading: 'Events of payments',
    columns: { who: 'by', words: 'text', told: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  payment_operation: {
    heading: 'Requests to the payment provider',
    columns: { user_id: 'user', error: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  bid_request: { heading: 'Bid requests', columns: { note: 'text' }, erasure: 'replace', kept: bookkeeping },
  bid_result_file: {
    heading: 'Imported bid results',
    columns: { taken_by: 'by', name: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  operator_statement: {
    heading: 'Imported statements',
    columns: { taken_by: 'by', name: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  operator_statement_line: {
    heading: 'Settled differences of statements',
    columns: { settled_by: 'by', note: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  scope_2_report: {
    heading: 'Scope 2 reports',
    columns: { made_by: 'by', company: 'text' },
    erasure: 'replace',
    kept: bookkeeping,
  },
  load_plan: {
    heading: 'Plans',
    columns: { made_by: 'user', made_by_name: 'by', accepted_by: 'by', name: 'text', asked: 'json', reason: 'text' },
    erasure: 'replace',
    kept: company,
  },
  load_backtest: {
    heading: 'Backtests',
    columns: { made_by_name: 'by', name: 'text', asked: 'json', reason: 'text' },
    erasure: 'replace',
    kept: company,
  },
  note: {
    heading: 'Notes',
    columns: { author_id: 'user', text: 'text' },
    erasure: 'replace',
    kept: company,
  },
  support_note: {
    heading: 'Support notes',
    columns: { title: 'text', description: 'text' },
    erasure: 'replace',
    kept: company,
  },
  customer: {
    heading: 'Company profile with the address',
    columns: { support: 'json', address: 'json', properties: 'json' },
    erasure: 'replace',
    kept: company,
  },
  audit_entry: {
    heading: 'Audit trail',
    columns: { user_id: 'user', who: 'by', subject: 'text', before: 'json', after: 'json' },
    erasure: 'replace',
    kept: 'bookkeeping, and control of equipment: the entry is evidence (ADR 14)',
  },
  app_user: {
    heading: 'Account',
    columns: {
      user_id: 'user',
      email: 'address',
      name: 'own',
      contact: 'own',
      country_code: 'own',
      language: 'own',
      allowed: 'own',
      profile_image: 'own',
      password_hash: 'secret',
      totp_sealed: 'secret',
      totp_pending_sealed: 'secret',
      totp_last_step: 'secret',
    },
    erasure: 'delete',
  },
}

/** Columns whose names resemble data of a person and that hold none. */
export const withoutPeople: { readonly [T in Table]?: readonly (keyof DB[T])[] } = {
  // HMACs of addresses, removed after two days.
  attempt: ['key'],
  application_version: ['title', 'description'],
  bid: ['decided_by'],
  bid_file: ['name', 'content'],
  bid_result: ['decided_by_before'],
  charger: ['name', 'connected_by'],
  charger_tag_group: ['name'],
  charger_unknown: ['address'],
  charging_site: ['name'],
  connector_run: ['url'],
  customer: ['name', 'logo', 'language'],
  edge: ['name'],
  erased_tenant: ['customer_key'],
  frequency_signal: ['name'],
  instance: ['name', 'description', 'properties'],
  job: ['name', 'runner'],
  lease: ['name'],
  licence: ['name'],
  // Address of a building, from the data hub.
  meter: ['name', 'address'],
  meter_group: ['name'],
  payment_account: ['client_id'],
  price_signal: ['name'],
  schema_migration: ['name'],
  scope_2_meter: ['name'],
  tariff: ['name', 'owner_name'],
  webhook: ['name', 'url'],
}

/** Names of columns that could hold data of a person. */
export const personalName =
  /name|mail|phone|mobile|contact|address|user|person|recipient|author|driver|holder|(^|_)by$|_by_|^who$|note|comment|description|words|title|image|agent|picture|token_owner/
