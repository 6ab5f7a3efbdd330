/** How a site's limit is shared among its outlets: pure, in whole amperes of each phase. See load-balancing.md. */

export const sitePhases = ['L1', 'L2', 'L3'] as const
export type Phase = (typeof sitePhases)[number]

/** Below this a car takes nothing (IEC 61851). */
export const leastA = 6

export type Outlet = {
  id: string
  phases: readonly Phase[]
  /** What it can give, or less where a person says so. */
  maxA: number
  /** What it falls back to by itself: its charger keeps this for good. */
  fallbackA: number
  /** The most that it may draw now, whatever becomes of it: what it was allowed and has not been proved to have given up. */
  heldA: number
  /** A session runs on it, and it does what it is told. */
  isCharging: boolean
  /** A new limit can reach it. */
  isReachable: boolean
  /** Higher goes first. */
  priority: number
  /** Among equals who has waited longest goes first. */
  sinceMs: number
}

type Room = Record<Phase, number>

const roomOf = (limitA: number): Room => ({ L1: limitA, L2: limitA, L3: limitA })
const take = (room: Room, { phases }: Outlet, amperes: number) => {
  for (const phase of phases) room[phase] -= amperes
}
const free = (room: Room, { phases }: Outlet) => Math.min(...phases.map((phase) => room[phase]))

const inOrder = (a: Outlet, b: Outlet) => b.priority - a.priority || a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1)

/** Raises all of one priority by one ampere after the other, until each is full or one of its phases is. */
const raiseEvenly = (room: Room, outlets: readonly Outlet[], shares: Map<string, number>) => {
  let rising = [...outlets]
  while (rising.length > 0)
    rising = rising.filter((one) => {
      const share = shares.get(one.id) ?? 0
      if (share >= one.maxA || free(room, one) < 1) return false
      shares.set(one.id, share + 1)
      take(room, one, 1)
      return true
    })
}

/** What each outlet is to have in the end. Who cannot be reached, does not charge or does not obey keeps what it holds. */
export const share = (limitA: number, outlets: readonly Outlet[]): Map<string, number> => {
  const shares = new Map<string, number>()
  const room = roomOf(Math.floor(limitA))
  const charging = outlets.filter((one) => one.isReachable && one.isCharging).toSorted(inOrder)
  for (const one of outlets) {
    const fixed = one.isReachable && one.isCharging ? one.fallbackA : one.heldA
    shares.set(one.id, fixed)
    take(room, one, fixed)
  }
  // First so many charge at all as can, the most urgent first; then what is left goes by priority.
  for (const one of charging) {
    const more = Math.min(leastA, one.maxA) - (shares.get(one.id) ?? 0)
    if (more <= 0 || free(room, one) < more) continue
    shares.set(one.id, Math.min(leastA, one.maxA))
    take(room, one, more)
  }
  const started = charging.filter((one) => (shares.get(one.id) ?? 0) >= Math.min(leastA, one.maxA))
  for (const [, equals] of Map.groupBy(started, (one) => one.priority)) raiseEvenly(room, equals, shares)
  return shares
}

/**
 * What can be told now without going over the limit: who is to have less is told at once; who is to have more gets what nobody holds any more,
 * so that what was taken must be confirmed before it is given.
 */
export const nextLimits = (limitA: number, outlets: readonly Outlet[]): Map<string, number> => {
  const shares = share(limitA, outlets)
  const room = roomOf(Math.floor(limitA))
  for (const one of outlets) take(room, one, one.heldA)
  const next = new Map<string, number>()
  for (const one of outlets.filter(({ isReachable }) => isReachable).toSorted(inOrder)) {
    // A person may want less than the fallback, which stays reserved.
    const wanted = Math.min(shares.get(one.id) ?? one.fallbackA, one.maxA)
    const more = Math.max(0, Math.min(wanted - one.heldA, free(room, one)))
    const given = Math.min(wanted, one.heldA + more)
    // Less than a car takes is a pause, and leaves the amperes to others.
    next.set(one.id, given < leastA ? Math.min(given, one.fallbackA) : given)
    take(room, one, more)
  }
  return next
}
