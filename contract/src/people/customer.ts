import { z } from 'zod'
import { requestSlots } from '#bid-slots.ts'
import { call, id } from '#call.ts'
import { contact, countryCode, email, requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { capacityMarkets, companyAddress, type DashboardCard, e3DashboardConfig } from './user.ts'

export const updateDetails = call({
  method: 'PATCH',
  path: '/client/customer/update-details',
  summary: 'Change the company profile',
  may: 'company.edit',
  touches: ['company'],
  body: z.strictObject({
    primaryContactName: requiredText(limits.contactNameMax).min(
      limits.contactNameMin,
      m.shortest(limits.contactNameMin),
    ),
    primaryContactEmail: email(m.invalidEmail),
    billingEmail: email(m.invalidEmail),
    contact,
    countryCode,
  }),
  response: z.object({ address: companyAddress }),
  ok: m.companyUpdated,
})

export const requireSecondFactor = call({
  method: 'PATCH',
  path: '/client/customer/second-factor',
  summary: 'Set whether the company requires a second factor of all users',
  may: 'second-factor.require',
  touches: ['company'],
  body: z.strictObject({ required: z.boolean() }),
  ok: m.settingSaved,
})

const cell = <const C extends readonly DashboardCard[]>(cards: C) =>
  z.strictObject({
    card: z.enum(cards),
    value: z.enum(capacityMarkets).optional(),
    groupId: id('instance').optional(),
    frequencyId: id('frequency').optional(),
    priceSignalId: id('price-signal').optional(),
  })
const narrow = cell(['frequency', 'capacity', 'revenue'])
const wide = cell(['powerCost', 'instance', 'dataHub', 'energy'])
const sold = z.strictObject({
  value: text(40)
    .refine((market) => requestSlots(market) !== null, m.marketNotSupported)
    .optional(),
  groupId: id('instance').optional(),
})

export const dashboardForm = z.strictObject({
  // Without them the values of the operator's file stay, as of the third row.
  enableEnergyRow: z.boolean().optional(),
  r0c1: wide.optional(),
  enableFirstRow: z.boolean(),
  enableSecondRow: z.boolean(),
  enableEventFaultRow: z.boolean(),
  r1c1: narrow,
  r1c2: narrow,
  r1c3: narrow,
  r2c1: wide,
  r2c2: wide,
  // Without it the value of the operator's file stays.
  enableThirdRow: z.boolean().optional(),
  r3c1: sold.optional(),
  r3c2: sold.optional(),
})
export type DashboardForm = z.infer<typeof dashboardForm>

export const saveDashboard = call({
  method: 'PATCH',
  path: '/client/customer/dashboard',
  summary: 'Save the home dashboard of the company; null restores the operator’s dashboard',
  may: 'dashboard.edit',
  touches: ['company'],
  body: z.strictObject({ dashboard: dashboardForm.nullable() }),
  response: z.object({ e3DashboardConfig }),
  ok: m.dashboardSaved,
})
