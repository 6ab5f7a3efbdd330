import type { ChargerTag, ChargerTagGroup } from '@gridmast/contract/charging/tags.ts'

export const someGroup: ChargerTagGroup = {
  _id: '44444444-4444-4444-8444-000000000070',
  name: 'Vans',
  action: true,
  tagCount: 1,
  budget: null,
  createdAt: '2026-11-01T10:00:00.000Z',
}
export const someTag: ChargerTag = {
  _id: '44444444-4444-4444-8444-000000000080',
  name: 'Lene Ravn',
  tagID: '04A219B7',
  action: true,
  groupId: someGroup._id,
  groupData: { name: 'Vans', action: true },
  properties: { chargingType: 'tagId' },
  budget: null,
  createdAt: '2026-11-01T10:00:00.000Z',
}
