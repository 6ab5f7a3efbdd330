import { findChargerServices } from '@gridmast/contract/charging/chargers.ts'
import { addChargingSite, findChargingSites, saveGroupPriorities } from '@gridmast/contract/charging/charging-sites.ts'
import { addChargerTag, addChargerTagGroup, findChargerTags } from '@gridmast/contract/charging/tags.ts'
import type { Portal } from './portal.ts'

const tagGroups = [
  { name: 'Varebiler', tags: ['VAN-01', 'VAN-02', 'VAN-03'] },
  { name: 'Gæster', tags: ['VAN-04'] },
]
const blocked = 'VAN-05'

export const writeTags = async (ask: Portal['ask']): Promise<number> => {
  const [page] = await ask(findChargerTags, { query: {} })
  if (!page || page.totalCount > 0) return 0
  for (const { name, tags } of tagGroups) {
    const { group } = await ask(addChargerTagGroup, { body: { name, action: true } })
    for (const tagID of tags)
      await ask(addChargerTag, { body: { name: `${name} ${tagID}`, tagID, action: true, groupId: group._id } })
  }
  await ask(addChargerTag, { body: { name: 'Mistet ladebrik', tagID: blocked, action: false } })
  return tagGroups.reduce((sum, { tags }) => sum + tags.length, 1)
}

const plannedSites = [
  { name: 'Port og gæster', limitA: 50, reserveA: 0, chargers: ['NH-01', 'NH-02', 'NH-04'] },
  { name: 'Ramperne', limitA: 63, reserveA: 8, chargers: ['VK-01', 'VK-02', 'VK-03', 'VK-04'] },
]
const fallbackA = 6
const firstGroup = { group: 'Varebiler', priority: 3 }

export const writeSites = async (ask: Portal['ask']): Promise<number> => {
  const { sites, priorities } = await ask(findChargingSites, {})
  if (sites.length > 0) return 0
  const { chargers } = await ask(findChargerServices, {})
  const idOf = (identity: string) => chargers.find((one) => one.identity === identity)?._id
  let count = 0
  for (const { chargers: identities, ...site } of plannedSites) {
    const ids = identities.flatMap((identity) => idOf(identity) ?? [])
    if (ids.length < identities.length) continue
    const body = { ...site, fallbackA, chargers: ids.map((chargerId) => ({ chargerId, phases: 'L1L2L3' as const })) }
    await ask(addChargingSite, { body })
    count++
  }
  const group = priorities.find(({ name }) => name === firstGroup.group)
  if (group)
    await ask(saveGroupPriorities, {
      body: { priorities: [{ groupId: group.groupId, priority: firstGroup.priority }] },
    })
  return count
}
