import { handoff } from './handoff.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'

export const auth = [...signIn, ...secondFactor, ...handoff, ...sessions]
