import { z } from 'zod'
import { call } from './call.ts'
import { contact, countryCode, email, requiredText } from './fields.ts'
import { limits } from './limits.ts'
import { m } from './messages.ts'
import { companyAddress } from './user.ts'

export const updateDetails = call({
  method: 'PATCH',
  path: '/client/customer/update-details',
  summary: 'Change the company profile',
  may: 'company.edit',
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
  summary: 'Require a second factor of everyone at the company, or no longer',
  may: 'second-factor.require',
  body: z.strictObject({ required: z.boolean() }),
  ok: m.settingSaved,
})
