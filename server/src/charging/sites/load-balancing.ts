/** Shares a site's limit among its EVSEs, in whole amperes per phase; pure. See load-balancing.md. */

export const sitePhases = ['L1', 'L2', 'L3'] as const
export type Phase = (typeof sitePhases)[number]

export const phasesOf = (text: string): readonly Phase[] => sitePhases.filter((phase) => text.includes(phase))

/** A car does not charge below this current (IEC 61851). */
export const minChargingA = 6

export type Connector = {
  id: string
  phases: readonly Phase[]
  maxA: number
  /** The limit that applies without contact, stored on the charger permanently. */
  fallbackA: number
  /** The most that it may draw now, whatever happens: a granted current that is not proved to be released. */
  heldA: number
  isCharging: boolean
  isReachable: boolean
  /** A higher number goes first. */
  priority: number
  /** At equal priority the longest wait goes first. */
  sinceMs: number
}

type Room = Record<Phase, number>

const roomOf = (limitA: number): Room => ({ L1: limitA, L2: limitA, L3: limitA })
const take = (room: Room, { phases }: Connector, amperes: number) => {
  for (const phase of phases) room[phase] -= amperes
}
const free = (room: Room, { phases }: Connector) => Math.min(...phases.map((phase) => room[phase]))

const inOrder = (a: Connector, b: Connector) =>
  b.priority - a.priority || a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1)

const raiseEvenly = (room: Room, connectors: readonly Connector[], shares: Map<string, number>) => {
  let rising = [...connectors]
  while (rising.length > 0)
    rising = rising.filter((one) => {
      const share = shares.get(one.id) ?? 0
      if (share >= one.maxA || free(room, one) < 1) return false
      shares.set(one.id, share + 1)
      take(room, one, 1)
      return true
    })
}

/** The target current of each EVSE; one that is unreachable, idle or disobedient keeps the current that it may draw. */
export const share = (limitA: number, connectors: readonly Connector[]): Map<string, number> => {
  const shares = new Map<string, number>()
  const room = roomOf(Math.floor(limitA))
  const charging = connectors.filter((one) => one.isReachable && one.isCharging).toSorted(inOrder)
  for (const one of connectors) {
    const fixed = one.isReachable && one.isCharging ? one.fallbackA : one.heldA
    shares.set(one.id, fixed)
    take(room, one, fixed)
  }
  // First as many as possible get the minimum, the most urgent first; then the rest is shared by priority.
  for (const one of charging) {
    const more = Math.min(minChargingA, one.maxA) - (shares.get(one.id) ?? 0)
    if (more <= 0 || free(room, one) < more) continue
    shares.set(one.id, Math.min(minChargingA, one.maxA))
    take(room, one, more)
  }
  const started = charging.filter((one) => (shares.get(one.id) ?? 0) >= Math.min(minChargingA, one.maxA))
  for (const [, equals] of Map.groupBy(started, (one) => one.priority)) raiseEvenly(room, equals, shares)
  return shares
}

/**
 * Limits that can be sent now without exceeding the site's limit: reductions at once, increases only from current that no EVSE may still draw, so
 * that a reduction is confirmed before its current is granted again.
 */
export const nextLimits = (limitA: number, connectors: readonly Connector[]): Map<string, number> => {
  const shares = share(limitA, connectors)
  const room = roomOf(Math.floor(limitA))
  for (const one of connectors) take(room, one, one.heldA)
  const next = new Map<string, number>()
  for (const one of connectors.filter(({ isReachable }) => isReachable).toSorted(inOrder)) {
    // A manual limit may be below the fallback, which stays reserved.
    const targetA = Math.min(shares.get(one.id) ?? one.fallbackA, one.maxA)
    const more = Math.max(0, Math.min(targetA - one.heldA, free(room, one)))
    const nextA = Math.min(targetA, one.heldA + more)
    // A current below the minimum is a pause, and its amperes go to other EVSEs.
    next.set(one.id, nextA < minChargingA ? Math.min(nextA, one.fallbackA) : nextA)
    take(room, one, more)
  }
  return next
}
