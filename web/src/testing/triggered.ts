import type { TriggeredAlert } from '@gridmast/contract/notifications/triggered.ts'

export const someTriggered: TriggeredAlert = {
  _id: '01930000-0000-7000-8000-000000000002',
  name: 'Cold above 400',
  type: 'power',
  criteria: 'gt',
  threshold: 400.5,
  value: 412.5,
  triggerTime: '2026-11-20T12:34:00Z',
  crossedAt: '2026-11-20T12:24:00Z',
  late: false,
  group: '01930000-0000-7000-8000-000000000011',
  groupName: 'Cold store 1',
  source: 'FCR-D-INC',
  acknowledgedAt: null,
  acknowledgedBy: null,
  comment: '',
  about: null,
  closedAt: null,
}
