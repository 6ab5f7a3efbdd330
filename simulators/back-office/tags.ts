import { addChargerTag, addChargerTagGroup, findChargerTags } from '@gridmast/contract/charging/tags.ts'
import type { Portal } from './portal.ts'

const groups = [
  { name: 'Varebiler', tags: ['VAN-01', 'VAN-02', 'VAN-03'] },
  { name: 'Gæster', tags: ['VAN-04'] },
]
const blocked = 'VAN-05'

export const writeTags = async (ask: Portal['ask']): Promise<number> => {
  const [page] = await ask(findChargerTags, { query: {} })
  if (!page || page.totalCount > 0) return 0
  for (const { name, tags } of groups) {
    const { group } = await ask(addChargerTagGroup, { body: { name, action: true } })
    for (const tagID of tags)
      await ask(addChargerTag, { body: { name: `${name} ${tagID}`, tagID, action: true, groupId: group._id } })
  }
  await ask(addChargerTag, { body: { name: 'Mistet ladebrik', tagID: blocked, action: false } })
  return groups.reduce((sum, { tags }) => sum + tags.length, 1)
}
