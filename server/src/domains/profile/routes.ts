import { profile } from '@gridmast/contract/profile.ts'
import { getProfile } from '#access/profile.ts'
import { route } from '#route.ts'

export const profiles = [
  route(profile, async ({ app, viewer }) => ({
    user: await app.records.tenant(viewer.customerId, (tx) => getProfile(tx, viewer.customerId, viewer.userId)),
  })),
]
