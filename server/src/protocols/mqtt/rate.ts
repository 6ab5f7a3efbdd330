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
