import { findChargerServices } from '@gridmast/contract/charging/chargers.ts'
import { addChargingSite, findChargingSites, saveGroupPriorities } from '@gridmast/contract/charging/charging-sites.ts'
import type { Portal } from './portal.ts'

const wanted = [
  { name: 'Port og gæster', limitA: 50, reserveA: 0, chargers: ['NH-01', 'NH-02', 'NH-04'] },
  { name: 'Ramperne', limitA: 63, reserveA: 8, chargers: ['VK-01', 'VK-02', 'VK-03', 'VK-04'] },
]
const fallbackA = 6
const first = { group: 'Varebiler', priority: 3 }

export const writeSites = async (ask: Portal['ask']): Promise<number> => {
  const { sites, priorities } = await ask(findChargingSites, {})
  if (sites.length > 0) return 0
  const { chargers } = await ask(findChargerServices, {})
  const idOf = (identity: string) => chargers.find((one) => one.identity === identity)?._id
  let count = 0
  for (const { chargers: identities, ...site } of wanted) {
    const found = identities.flatMap((identity) => idOf(identity) ?? [])
    if (found.length < identities.length) continue
    const body = { ...site, fallbackA, chargers: found.map((chargerId) => ({ chargerId, phases: 'L1L2L3' as const })) }
    await ask(addChargingSite, { body })
    count++
  }
  const group = priorities.find(({ name }) => name === first.group)
  if (group)
    await ask(saveGroupPriorities, { body: { priorities: [{ groupId: group.groupId, priority: first.priority }] } })
  return count
}
