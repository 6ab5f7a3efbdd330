import { login, logout } from '@gridmast/contract/auth.ts'
import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'

export type Portal = {
  ask: <C extends CallShape>(call: C, sent: Sent<C>) => Promise<Data<C>>
  signOut: () => Promise<void>
}

type Loose = { params?: Record<string, string>; body?: unknown }

/** The portal as a program uses it for a person: signed in, one call after another, the first refusal ends it. */
export const signIn = async (url: string, email: string, password: string): Promise<Portal> => {
  let token: string | null = null
  const ask = async <C extends CallShape>(call: C, sent: Sent<C>): Promise<Data<C>> => {
    const { params = {}, body } = sent as Loose // one shape of all that a call may take
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const answer = await fetch(`${url}/api${path}`, {
      method: call.method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { message, data } = (await answer.json()) as { message: string; data: Data<C> } // the contract's envelope
    if (!answer.ok) throw new Error(`${call.method} ${call.path}: ${answer.status} ${message}`)
    return data
  }
  const session = await ask(login, { body: { user: { email, password } } })
  token = session.token
  return { ask, signOut: () => ask(logout, {}) }
}
