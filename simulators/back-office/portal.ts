import { login, logout } from '@gridmast/contract/people/auth.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'

export type Portal = {
  ask: <C extends CallShape>(call: C, sent: Sent<C> & { file?: File }) => Promise<Data<C>>
  signOut: () => Promise<void>
}

type Loose = {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
  file?: File
}

const bodyOf = ({ upload }: CallShape, { body, file }: Loose): string | FormData | null => {
  if (upload === undefined || !file) return body === undefined ? null : JSON.stringify(body)
  const form = new FormData()
  form.set('values', JSON.stringify(body))
  form.set(upload, file)
  return form
}

const searchOf = ({ query = {} }: Loose): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, `${value}`)
  return search.size > 0 ? `?${search}` : ''
}

export const signIn = async (url: string, email: string, password: string): Promise<Portal> => {
  let token: string | null = null
  const ask = async <C extends CallShape>(call: C, sent: Sent<C> & { file?: File }): Promise<Data<C>> => {
    const loose = sent as Loose // one shape of all that a call may take
    const { params = {} } = loose
    const body = bodyOf(call, loose)
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const answer = await fetch(`${url}/api${path}${searchOf(loose)}`, {
      method: call.method,
      headers: {
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
    })
    const { message, data } = (await answer.json()) as { message: string; data: Data<C> } // the contract's envelope
    if (!answer.ok) throw new Error(`${call.method} ${call.path}: ${answer.status} ${message}`)
    return data
  }
  const session = await ask(login, { body: { user: { email, password } } })
  token = session.token
  return { ask, signOut: () => ask(logout, {}) }
}

/** Instances of the company by name; `get` throws for a name of none. */
export const findInstances = async (ask: Portal['ask']) => {
  const { licenses } = await ask(findLicences, {})
  const instances = licenses.flatMap(({ _id: licenceId, name: licence, groups }) =>
    groups.map(({ _id: instanceId, name }) => ({ name, instanceId, licenceId, licence })),
  )
  return {
    get: (name: string) => {
      const instance = instances.find((one) => one.name === name)
      if (!instance) throw new Error(`There is no instance ${name}`)
      return instance
    },
  }
}
