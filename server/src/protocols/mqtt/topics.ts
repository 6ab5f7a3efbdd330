export type EdgeMessageKind = 'status' | 'telemetry' | 'meter' | 'event' | 'log' | 'cmd/res'

type EdgeAddress = { edgeKey: string; kind: EdgeMessageKind; groupId: string | null }

const edgeName = /^[A-Za-z0-9._-]{1,64}$/
const ofGroups = new Set(['telemetry', 'meter', 'event', 'log'])

export const isEdgeName = (text: string) => edgeName.test(text)

export const readTopic = (topic: string): EdgeAddress | null => {
  const [gm, v1, edgeKey = '', first = '', second, ...more] = topic.split('/')
  if (gm !== 'gm' || v1 !== 'v1' || more.length > 0 || !isEdgeName(edgeKey)) return null
  if (first === 'status' && second === undefined) return { edgeKey, kind: 'status', groupId: null }
  if (first === 'cmd' && second === 'res') return { edgeKey, kind: 'cmd/res', groupId: null }
  if (!ofGroups.has(first) || !second || second.length > 64) return null
  return { edgeKey, kind: first as EdgeMessageKind, groupId: second } // one of `ofGroups`
}

const toEdges = /^gm\/v1\/[^/]+\/(cmd\/req|config|ack)$/

const level = String.raw`(?:cmd|req|config|ack|\+)`
const filterOfEdges = new RegExp(`^(?:${level}/){0,2}(?:${level}|#)$`)

/** Filters for subscriptions of an edge, wildcards included: only its own topics, in a finite list, because the broker stores every filter. */
export const maySubscribe = (edgeKey: string, filter: string) => {
  const prefix = `gm/v1/${edgeKey}/`
  return filter.startsWith(prefix) && filterOfEdges.test(filter.slice(prefix.length))
}

/** Messages to edges; subscribers receive no other. */
export const isToEdge = (topic: string) => toEdges.test(topic)

export type EdgeMessage = EdgeAddress & { topic: string; payload: Buffer; receivedAtMs: number }

/** Resolves when the message is stored or quarantined, and only then it is acknowledged. Rejects when it must be sent again. */
export type OnEdgeMessage = (message: EdgeMessage) => Promise<void>

/** Reasons of refusal, each counted; the connection ends (a subscription fails). */
export type Refused =
  | 'credentials'
  | 'tries'
  | 'connections'
  | 'foreign topic'
  | 'foreign subscription'
  | 'qos'
  | 'oversize'
  | 'rate'
  | 'in flight'
  | 'not stored'
  | 'protocol'
