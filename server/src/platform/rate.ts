/** A token bucket: `take` answers whether one more message may pass. */
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
  }
}

/** Bounds what others can write into our log: so many lines a minute of each name; the next line says how many were left out. */
export const lineLimiter = (perMinute: number, now: () => number) => {
  const names = new Map<string, { rate: ReturnType<typeof rateLimiter>; leftOut: number }>()
  return (name: string, write: (leftOut: { leftOut?: number }) => void) => {
    const line = names.get(name) ?? { rate: rateLimiter(perMinute / 60, perMinute, now), leftOut: 0 }
    names.set(name, line)
    if (!line.rate.take()) return void line.leftOut++
    write(line.leftOut > 0 ? { leftOut: line.leftOut } : {})
    line.leftOut = 0
  }
}
