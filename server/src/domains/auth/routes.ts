import { handoff } from './handoff.ts'
import { recovery } from './recovery.ts'
import { requestAccount } from './request-account.ts'
import { reset } from './reset.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'

export const auth = [...signIn, ...secondFactor, ...handoff, ...recovery, ...reset, ...requestAccount, ...sessions]
