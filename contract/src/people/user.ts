import { z } from 'zod'
import { id } from '#call.ts'
import { roles } from '#roles.ts'
import { recordedSteps } from './first-step-gates.ts'

export const languages = ['en', 'da'] as const
export type Language = (typeof languages)[number]
export const languageOf = (text: string): Language => (text === 'da' ? 'da' : 'en')

export const dashboardCards = [
  'frequency',
  'capacity',
  'revenue',
  'powerCost',
  'instance',
  'dataHub',
  'energy',
] as const
export type DashboardCard = (typeof dashboardCards)[number]
export const capacityMarkets = ['FCR-D-INC', 'aFRR', 'FFR'] as const

export const dashboardCell = z.object({
  card: z.enum(dashboardCards).optional(),
  value: z.string().optional(),
  groupId: id('instance').optional(),
  frequencyId: id('frequency').optional(),
  priceSignalId: id('price-signal').optional(),
  licenseTypeId: id('licence').optional(),
})

export const e3DashboardConfig = z.object({
  enableEnergyRow: z.boolean().optional(),
  enableFirstRow: z.boolean().optional(),
  enableSecondRow: z.boolean().optional(),
  enableThirdRow: z.boolean().optional(),
  enableEventFaultRow: z.boolean().optional(),
  r0c1: dashboardCell.optional(),
  r1c1: dashboardCell.optional(),
  r1c2: dashboardCell.optional(),
  r1c3: dashboardCell.optional(),
  r2c1: dashboardCell.optional(),
  r2c2: dashboardCell.optional(),
  r3c1: dashboardCell.optional(),
  r3c2: dashboardCell.optional(),
  eventMarkets: z.array(z.string()).optional(),
})
export type DashboardCell = z.infer<typeof dashboardCell>
export type DashboardConfig = z.infer<typeof e3DashboardConfig>

export const customerProperties = z.object({
  enableLineMin: z.boolean().optional(),
  lineMin: z.number().optional(),
  enableLineMax: z.boolean().optional(),
  lineMax: z.number().optional(),
  lowVisible: z.number().optional(),
  highVisible: z.number().optional(),
})

export const companyAddress = z.object({
  primaryContactName: z.string(),
  primaryContactEmail: z.string(),
  billingEmail: z.string(),
  contact: z.string(),
  countryCode: z.string(),
})
export type CompanyAddress = z.infer<typeof companyAddress>

export const customer = z.object({
  _id: id('customer'),
  name: z.string(),
  logo: z.string().nullable(),
  theme: z.object({ primaryColor: z.string() }),
  trueGreen: z.object({ enabled: z.boolean() }),
  areas: z.array(z.string()),
  biddingMarkets: z.array(z.string()),
  /** `instanceId`: the instance whose edge measures it; its live readings include the frequency. */
  frequency: z.array(
    z.object({ _id: id('frequency'), name: z.string(), area: z.string(), instanceId: id('instance') }),
  ),
  powerCost: z.array(z.object({ _id: id('price-signal'), name: z.string(), area: z.string() })),
  /** DKK/MWh of each price signal, by its id. */
  taxes: z.record(id('price-signal'), z.number()),
  properties: customerProperties,
  address: companyAddress,
  secondFactorRequired: z.boolean(),
  e3DashboardConfig,
  enabledLicense: z.record(
    z.string(),
    z.object({ licenseType: z.object({ name: z.string(), icon: z.string() }), enabled: z.boolean() }),
  ),
  license: z.record(z.string(), z.object({ enabled: z.boolean(), mobilepay: z.boolean().optional() })),
  instances: z.array(
    z.object({
      _id: id('instance'),
      name: z.string(),
      licenseId: id('licence'),
      market: z.array(z.string()),
      area: z.string().nullable(),
    }),
  ),
})
export type Customer = z.infer<typeof customer>

export const user = z.object({
  _id: id('user'),
  email: z.string(),
  name: z.string(),
  contact: z.string().nullable(),
  countryCode: z.string().nullable(),
  userRole: z.enum(roles),
  /** A small picture as a data: URL; a device without a session shows it next to saved accounts. */
  profileImage: z.string().nullable(),
  passwordUpdatedOn: z.iso.datetime(),
  allowed: z.record(z.string(), z.boolean()),
  secondFactor: z.boolean(),
  /** `open`: steps of the company that are not done, whatever the role. */
  firstSteps: z.object({ open: z.array(z.enum(recordedSteps)), hidden: z.boolean() }),
  customerId: customer,
})
export type User = z.infer<typeof user>
