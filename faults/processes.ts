import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** The process and all of its descendants: PostgreSQL's backends have sessions of their own, so a process group does not reach them. */
const family = (pid: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
        return [{ pid: Number(name), parent: Number(parent) }]
      } catch {
        return [] // ended meanwhile
      }
    })
  const below = (id: number): number[] => [
    id,
    ...parents.filter(({ parent }) => parent === id).flatMap((child) => below(child.pid)),
  ]
  return below(pid)
}

export const signalFamily = (pid: number | undefined, signal: NodeJS.Signals): void => {
  if (pid === undefined) throw new Error('the process did not start')
  for (const id of family(pid))
    try {
      process.kill(id, signal)
    } catch {
      // ended meanwhile
    }
}

export const until = async (
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  limitMs = 120_000,
): Promise<void> => {
  for (const end = Date.now() + limitMs; !(await isTrue()); await pause(100))
    if (Date.now() > end) throw new Error(`not within ${limitMs / 1000} s: ${what}`)
}
