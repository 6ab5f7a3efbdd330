import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Part } from '../tools/installation.ts'

const everyMs = 200
const longestCallMs = 60_000

type Change = { name: string; status: number; sentMs: number; atMs: number }

export const signIn = async ({ portal }: Part): Promise<string> => {
  const answer = await fetch(`${portal}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: { email: 'sudoer@nordhavn.example', password: 'gridmast-demo' } }),
  })
  const { data } = (await answer.json()) as { data?: { token: string } }
  if (!data) throw new Error(`sign-in was answered ${answer.status}`)
  return data.token
}

/** `mayEnd`: the fault may end the session. Creates tags of chargers over HTTP, each with a name of its own and never repeated; a call without an answer has the status 0. */
export const openChanges = async (web: Part, prefix = 'fault', { mayEnd = false } = {}) => {
  let token = await signIn(web)
  const answered: Change[] = []
  const pending = new Set<Promise<void>>()
  let count = 0
  let isSending = true
  const send = async () => {
    const name = `${prefix} ${++count}`
    const sentMs = Date.now()
    const status = await fetch(`${web.portal}/api/client/evc/tag`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ name, tagID: `${prefix} ${count}`, action: true }),
      signal: AbortSignal.timeout(longestCallMs),
    }).then(
      async (answer) => {
        const text = await answer.text()
        if (!answer.ok && answer.status !== 503) console.error(`a change was answered ${answer.status}: ${text}`)
        if (answer.status === 401) token = await signIn(web)
        return answer.status
      },
      () => 0,
    )
    answered.push({ name, status, sentMs, atMs: Date.now() })
  }
  const sending = (async () => {
    while (isSending) {
      const call = send().finally(() => pending.delete(call))
      pending.add(call)
      await pause(everyMs)
    }
  })()
  const isDone = ({ status }: Change) => status >= 200 && status < 300
  return {
    acknowledged: () => answered.filter(isDone).length,
    statuses: (): string => {
      const counts = Map.groupBy(answered, ({ status }) => status)
      return [...counts].map(([status, changes]) => `${changes.length} × ${status}`).join(', ')
    },
    slowestS: () => Math.max(...answered.map(({ sentMs, atMs }) => atMs - sentMs)) / 1000,
    unexpected: () =>
      answered.filter((change) => !isDone(change) && change.status !== 503 && !(mayEnd && change.status === 401))
        .length,
    recoveryS: (faultMs: number): number => {
      const done = answered.filter((change) => isDone(change) && change.sentMs > faultMs).map(({ atMs }) => atMs)
      return done.length > 0 ? (Math.min(...done) - faultMs) / 1000 : Infinity
    },
    finish: async () => {
      isSending = false
      await sending
      await Promise.all(pending)
    },
    /** Compares the acknowledged changes with the rows. */
    compare: async (records: string): Promise<{ lost: number; doubled: number }> => {
      const client = new pg.Client({ connectionString: records })
      await client.connect()
      try {
        const { rows } = await client.query<{ name: string; count: number }>(
          'select name, count(*)::int as count from charger_tag where name like $1 group by name',
          [`${prefix} %`],
        )
        const counts = new Map(rows.map(({ name, count }) => [name, count]))
        return {
          lost: answered.filter((change) => isDone(change) && !counts.has(change.name)).length,
          doubled: rows.filter(({ count }) => count > 1).length,
        }
      } finally {
        await client.end()
      }
    },
  }
}
