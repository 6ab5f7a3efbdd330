/** A token bucket: `take` is true when one more message may pass. */
export const rateLimiter = (perSecond: number, burst: number, now: () => number) => {
  let tokens = burst
  let filledAt = now()
  return {
    take: (): boolean => {
      const at = now()
      tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond)
      filledAt = at
      if (tokens < 1) return false
      tokens--
      return true
    },
    isFull: (): boolean => tokens + ((now() - filledAt) / 1000) * perSecond >= burst,
  }
}
type Bucket = ReturnType<typeof rateLimiter>

/**
 * One bucket per name. Full buckets are deleted, because they equal new ones and clients have any number of
 * addresses.
 */
export const ratesOf = (perSecond: number, burst: number, now: () => number, rates = new Map<string, Bucket>()) => {
  const fillMs = (burst / perSecond) * 1000
  let sweptAt = now()
  return (name: string): boolean => {
    if (now() - sweptAt >= fillMs) {
      for (const [other, rate] of rates) if (rate.isFull()) rates.delete(other)
      sweptAt = now()
    }
    const rate = rates.get(name) ?? rateLimiter(perSecond, burst, now)
    rates.set(name, rate)
    return rate.take()
  }
}

/** At most `perMinute` log lines per name; the next line counts those left out. */
export const lineLimiter = (perMinute: number, now: () => number) => {
  const take = ratesOf(perMinute / 60, perMinute, now)
  const leftOut = new Map<string, number>()
  return (name: string, write: (leftOut: { leftOut?: number }) => void) => {
    const before = leftOut.get(name) ?? 0
    if (!take(name)) return void leftOut.set(name, before + 1)
    write(before > 0 ? { leftOut: before } : {})
    leftOut.delete(name)
  }
}
