import { profile } from '@gridmast/contract/profile.ts'
import { getProfile } from '#access/profile.ts'
import { route } from '#route.ts'
import { edit } from './edit.ts'
import { password } from './password.ts'
import { secondFactor } from './second-factor.ts'

const read = route(profile, async ({ app, viewer }) => ({
  user: await app.records.tenant(viewer.customerId, (tx) => getProfile(tx, viewer.customerId, viewer.userId)),
}))

export const profiles = [read, edit, password, ...secondFactor]
