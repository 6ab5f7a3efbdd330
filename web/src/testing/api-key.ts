import type { ApiKey } from '@gridmast/contract/people/api-keys.ts'

export const someKey: ApiKey = {
  _id: '01930000-0000-7000-8000-000000000001',
  name: 'Energy report',
  ending: 'U9uQ',
  scopes: ['power.read'],
  createdBy: 'sudoer@nordhavn.example',
  createdAt: '2026-11-20T17:12:08Z',
  expiresAt: null,
  lastUsedAt: '2026-11-20T17:12:08Z',
}
