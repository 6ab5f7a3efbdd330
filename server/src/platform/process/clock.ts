/** The only source of the current time; tests pass their own. */
export type Clock = { now: () => number }

/** Runs `work` after `ms` of that clock; answers the cancel function. */
export type After = (ms: number, work: () => void) => () => void

export const systemAfter: After = (ms, work) => {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

export const systemClock: Clock = { now: () => Date.now() }
