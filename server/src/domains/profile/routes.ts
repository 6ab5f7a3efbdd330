import { profile } from '@gridmast/contract/profile.ts'
import { getProfile } from '#access/profile.ts'
import { route } from '#context.ts'
import { edit } from './edit.ts'
import { email } from './email.ts'
import { password } from './password.ts'
import { secondFactor } from './second-factor.ts'

const read = route(profile, async ({ viewer, own }) => ({
  user: await own((tx, customerId) => getProfile(tx, customerId, viewer.userId)),
}))

export const profiles = [read, edit, ...email, password, ...secondFactor]
