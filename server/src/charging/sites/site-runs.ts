const collectMs = 100

/** Runs of one key follow each other; a waiting run covers all requests until it starts. */
export const openRuns = (work: (key: string) => Promise<void>, onError: (error: unknown) => void) => {
  const timers = new Map<string, NodeJS.Timeout>()
  const waiting = new Set<string>()
  const running = new Map<string, Promise<void>>()
  let isClosed = false

  const run = (key: string) => {
    if (waiting.has(key)) return
    waiting.add(key)
    const previous = running.get(key) ?? Promise.resolve()
    const next = previous
      .then(() => {
        waiting.delete(key)
        return isClosed ? undefined : work(key)
      })
      .catch(onError)
    running.set(key, next)
  }

  return {
    run,
    /** Requests of `collectMs` are one run. */
    runSoon: (key: string) => {
      if (isClosed || timers.has(key)) return
      const start = () => {
        timers.delete(key)
        run(key)
      }
      timers.set(key, setTimeout(start, collectMs))
    },
    settled: () => Promise.all(running.values()),
    close: async () => {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
