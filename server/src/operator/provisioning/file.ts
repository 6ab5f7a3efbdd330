import { customerProperties, languages } from '@gridmast/contract/people/user.ts'
import { roles } from '@gridmast/contract/roles.ts'
import { addDecimals } from '@gridmast/contract/numbers.ts'
import { decimalText } from '@gridmast/contract/series.ts'
import { z } from 'zod'

/** Format of a provisioning file; entries refer to each other by `key`, and ids are derived from keys. */

const key = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected a key: lower-case letters, digits and hyphens')
const text = z.string().min(1, 'expected some text').max(200)
const area = z.enum(['DK1', 'DK2', 'SE1', 'SE2', 'SE3', 'SE4'], 'expected one of DK1, DK2, SE1, SE2, SE3, SE4')
const colour = z.string().regex(/^#[0-9a-f]{6}$/i, "expected a colour such as '#0b2545'")
const password = z.string().min(8, 'expected at least 8 characters').max(200)

const licence = z.strictObject({
  type: text,
  name: text,
  icon: text.default('bolt'),
  enabled: z.boolean().default(true),
  settings: z.record(z.string(), z.boolean()).default({}),
})

const secret = z.string().min(12, 'expected at least 12 characters, best random ones').max(200)
const edge = z.strictObject({
  key,
  name: text,
  password: secret,
  site: text.optional(),
  area: area.optional(),
  simulated: z.boolean().default(false),
  simulatedVersion: text.optional(),
})

const day = z.iso.date("expected a date such as '2026-11-20'")
const percent = z
  .number('expected percent')
  .min(0, 'expected percent, 0 or more')
  .max(100, 'expected at most 100 percent')

const contract = z
  .strictObject({
    from: day,
    to: day.optional(),
    customer: percent,
    partner: percent.default(0),
    sc: percent.default(0),
    enablers: z
      .record(text.max(50), percent)
      .refine((shares) => Object.keys(shares).length <= 10, 'expected at most 10 enablers')
      .default({}),
    auctions: z
      .array(z.enum(['early', 'late'], 'expected early or late'))
      .min(1)
      .default(['early', 'late']),
    defaultPriceEur: z.number().min(0, 'expected EUR per MW, 0 or more').default(0),
    penaltyTo: z.enum(['shares', 'sc'], 'expected shares or sc').default('shares'),
  })
  .refine(({ from, to }) => !to || from <= to, { path: ['to'], error: 'expected a day not before from' })
  .refine((one) => sharesOf(one) === '100', { error: 'expected shares that sum to 100 percent' })

const sharesOf = (one: { customer: number; partner: number; sc: number; enablers: Record<string, number> }) =>
  addDecimals(...[one.customer, one.partner, one.sc, ...Object.values(one.enablers)].map(String))

const gate = z.strictObject({
  market: text,
  auction: z.enum(['D-1 early', 'D-1 late'], 'expected D-1 early or D-1 late').optional(),
  daysAhead: z.int().min(0).max(7, 'expected 0 to 7 days'),
  closesAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a local time such as '07:30'"),
})

const instance = z.strictObject({
  key,
  name: text,
  description: z.string().max(400).default(''),
  licence: text,
  edge: key,
  markets: z.array(text).min(1, 'expected at least one market'),
  area,
  kind: text,
  flexibleKw: z.number().min(0, 'expected a number of kW, 0 or more'),
  bidActive: z.boolean().default(true),
  contracts: z.array(contract).max(100).default([]),
  enabled: z.boolean().default(true),
  properties: z.record(z.string(), z.unknown()).default({}),
})

const charger = z.strictObject({
  identity: z
    .string()
    .regex(
      /^[A-Za-z0-9_.:=*+|@-]{1,48}$/,
      'expected what the charger calls itself: 1 to 48 of A-Z a-z 0-9 _ . : = * + | @ -',
    ),
  name: text,
  description: z.string().max(400).default(''),
  licence: text.default('evCharging'),
  type: z.enum(['AC', 'DC'], 'expected AC or DC'),
  connectors: z.number().int().min(1, 'expected 1 to 32 connectors').max(32, 'expected 1 to 32 connectors').default(1),
  maxKw: z.number().positive('expected a number of kW above 0').max(2000),
  /** Sign-in key; without one a key is created and shown once. */
  password: secret.optional(),
  securityProfile: z
    .union([z.literal(1), z.literal(2), z.literal(3)], 'expected security profile 1, 2 or 3')
    .default(1),
  /** Grid area; without it the area of its price signal applies. */
  area: area.optional(),
  /** Area and tax until the portal has a tariff of the charger. */
  priceSignal: key.optional(),
  simulated: z.boolean().default(false),
  simulatedVersion: z.enum(['ocpp1.6', 'ocpp2.0.1']).optional(),
  simulatedAs: z.enum(['normal', 'phases', 'faulted', 'offline']).optional(),
})

const frequency = z.strictObject({ key, name: text, area, instance: key })
const priceSignal = z.strictObject({ key, name: text, area, taxDkkPerMwh: decimalText })

const cell = z.strictObject({
  value: text.optional(),
  frequency: key.optional(),
  instance: key.optional(),
  priceSignal: key.optional(),
  licence: text.optional(),
})

const dashboard = z.strictObject({
  enableEnergyRow: z.boolean().optional(),
  enableFirstRow: z.boolean().optional(),
  enableSecondRow: z.boolean().optional(),
  enableThirdRow: z.boolean().optional(),
  enableEventFaultRow: z.boolean().optional(),
  r1c1: cell.optional(),
  r1c2: cell.optional(),
  r1c3: cell.optional(),
  r2c1: cell.optional(),
  r2c2: cell.optional(),
  r3c1: cell.optional(),
  r3c2: cell.optional(),
  eventMarkets: z.array(text).optional(),
})

const user = z.strictObject({
  email: z.email('expected an e-mail address'),
  name: text,
  role: z.enum(roles, `expected one of ${roles.join(', ')}`),
  password,
  contact: text.optional(),
  countryCode: text.optional(),
  allowed: z.record(z.string(), z.boolean()).default({}),
})

const customer = z.strictObject({
  key,
  name: text,
  trueGreen: z.boolean().default(false),
  /** Language of mails to its users until they choose their own, and to addresses without a user. */
  language: z.enum(languages, `expected one of ${languages.join(', ')}`).default('en'),
  theme: z.strictObject({ primaryColor: colour }).default({ primaryColor: '#0b2545' }),
  areas: z.array(area).default([]),
  /** CVR numbers whose meters the customer may add: the operator's powers of attorney cover other companies too. */
  cvrs: z.array(z.string().regex(/^\d{8}$/, 'expected a CVR number: 8 digits')).default([]),
  biddingMarkets: z.array(text).default([]),
  properties: customerProperties.strict().default({}),
  address: z.record(z.string(), z.string()).default({}),
  support: z
    .strictObject({ name: text, phone: text.optional(), email: z.email('expected an e-mail address').optional() })
    .optional(),
  licences: z.array(licence).default([]),
  edges: z.array(edge).default([]),
  instances: z.array(instance).default([]),
  chargers: z.array(charger).default([]),
  frequency: z.array(frequency).default([]),
  priceSignals: z.array(priceSignal).default([]),
  dashboard: dashboard.default({}),
  users: z.array(user).default([]),
})

const version = z.strictObject({
  title: text,
  application: text,
  released: z.iso.date("expected a date such as '2026-11-20'"),
  description: z.string().min(1, 'expected some text').max(5000),
  enable: z.boolean().default(true),
})

export const provisioningFile = z.strictObject({
  /** Other applications than Gridmast; the list replaces all of them, without it they stay unchanged. */
  versions: z.array(version).max(200).optional(),
  gates: z.array(gate).max(200).default([]),
  customers: z.array(customer).min(1, 'expected at least one customer'),
})

export type ProvisioningFile = z.output<typeof provisioningFile>
export type ProvisionedCustomer = z.output<typeof customer>
export type ProvisionedVersion = z.output<typeof version>
export type ProvisionedGate = z.output<typeof gate>
export type DashboardCell = z.output<typeof cell>
