import { readFileSync } from 'node:fs'
import { z } from 'zod'

const request = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(100),
  action: z.string(),
  /** Missing: all groups, which is valid for a release only. */
  groupId: z.string().optional(),
  profiles: z.array(z.object({ setPoint: z.number() })).min(1),
  issuedAt: z.iso.datetime(),
  ttlS: z.number().positive(),
  maxHoldS: z.number().positive().default(1800),
})

export type Reply = { v: 1; id: string; status: string; setPoint: number | null; ts: string; detail: string | null }

export type Decision = { reply: Reply; apply: { groups: readonly string[]; setPoint: number; holdS: number } | null }

const withId = z.object({ id: z.string().min(1).max(100) })

export const decide = (
  payload: string,
  nowMs: number,
  site: { groups: readonly string[]; isActivated: (group: string) => boolean },
): Decision | null => {
  let body: unknown
  try {
    body = JSON.parse(payload)
  } catch {
    return null
  }
  const named = withId.safeParse(body)
  if (!named.success) return null
  const say = (status: string, detail: string | null = null): Decision => ({
    reply: { v: 1, id: named.data.id, status, setPoint: null, ts: new Date(nowMs).toISOString(), detail },
    apply: null,
  })
  const read = request.safeParse(body)
  if (!read.success) return say('ERROR: not a request of version 1', read.error.issues[0]?.path.join('.') ?? null)
  const { action, groupId, profiles, issuedAt, ttlS, maxHoldS } = read.data
  const setPoint = profiles[0]?.setPoint ?? NaN
  if (nowMs > Date.parse(issuedAt) + ttlS * 1000) return say('ERROR: expired')
  if (action !== 'manual-control') return say(`ERROR: unknown action ${action.slice(0, 40)}`)
  if (groupId !== undefined && !site.groups.includes(groupId)) return say('ERROR: unknown group')
  if (!Number.isInteger(setPoint / 10) || setPoint < 0 || setPoint > 100) return say('REJECTED: OUT OF RANGE')
  if (groupId === undefined && setPoint !== 0) return say('ERROR: a set point needs a group')
  // A release ends only the manual set point: market activation continues.
  if (setPoint !== 0 && groupId !== undefined && site.isActivated(groupId)) return say('REJECTED: MARKET ACTIVE')
  const done = say('APPLIED')
  const groups = groupId === undefined ? site.groups : [groupId]
  return { reply: { ...done.reply, setPoint }, apply: { groups, setPoint, holdS: maxHoldS } }
}

const fault = z.union([
  z.literal('obey'),
  z.literal('silent'),
  z.strictObject({ delayS: z.number().min(0).max(3600) }),
  z.strictObject({ refuse: z.string().min(1).max(200) }),
])
export type Fault = z.infer<typeof fault>
const file = z.record(z.string(), fault)

/** Read again for each command, so that a fault begins and ends without a restart; a missing or invalid file means no faults. */
export const faultOf = (path: string | undefined, edge: string, log: (text: string) => void): Fault => {
  if (!path) return 'obey'
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return 'obey'
  }
  try {
    return file.parse(JSON.parse(text))[edge] ?? 'obey'
  } catch (error) {
    log(`${path} is not understood: ${error instanceof Error ? error.message : String(error)}`)
    return 'obey'
  }
}
