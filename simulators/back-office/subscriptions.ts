import type { Sent } from '@gridmast/contract/call.ts'
import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { hasEvents } from '@gridmast/contract/markets.ts'
import type { Portal } from './portal.ts'

export const subscribed: readonly string[] = ['Nordhavn Køl 1', 'Nordhavn Batteri', 'Esbjerg Varmepumpe']

export const writeSubscriptions = async (ask: Portal['ask'], email: string): Promise<number> => {
  const { licenses } = await ask(findLicences, {})
  let written = 0
  for (const { name: market, groups } of licenses)
    for (const { _id } of groups.filter((group) => subscribed.includes(group.name))) {
      const eventType = hasEvents([market], 'frr_based') ? 'frr_based' : 'fcr_based'
      const body: Sent<typeof addEmailSubscriptions>['body'] = {
        emails: [email],
        instanceId: _id,
        eventType,
        activation: true,
        bidResult: true,
      }
      await ask(addEmailSubscriptions, { body })
      written++
    }
  return written
}
