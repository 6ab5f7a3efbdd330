/** The one source of "now"; tests hand in their own. */
export type Clock = { now: () => number }

/** Does something when so many milliseconds have passed by that clock; answers the function that calls it off. */
export type After = (ms: number, work: () => void) => () => void

export const systemAfter: After = (ms, work) => {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

export const systemClock: Clock = { now: () => Date.now() }
