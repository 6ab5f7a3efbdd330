import { spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import type { Records, Tx } from '#platform/records/records.ts'

/** A short life: what WebAssembly would gain by a second compilation is less than that costs. */
export const shortLife = ['--liftoff-only']

/** As by kill -9, but what was compiled is kept for the next life. */
export const die = () => {
  flushCompileCache()
  process.kill(process.pid, 'SIGKILL')
}

/** Starts a script of a test (`*.process.ts`) in a Node of its own; what it printed is there when it has ended or was killed. */
export const start = (script: string, ...args: string[]) => {
  const child = spawn(process.execPath, [...shortLife, script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part) => (said += String(part)))
  const ended = new Promise<{ signal: NodeJS.Signals | null; said: string }>((resolve) =>
    child.once('close', (_, signal) => resolve({ signal, said })),
  )
  return { child, ended }
}

export const run = (script: string, ...args: string[]) => start(script, ...args).ended

/**
 * For such a script: records in which it kills itself, as by kill -9, at one place: 'before the row', 'before the commit of the row' or 'after the row'.
 * Counted from `begin` on, or what prepares the test would die of it; `dieAt` is for places of its own. With `end` that throws it is a death
 * without a process: the records answer nothing after it.
 */
export const dyingRecords = (
  store: Records,
  where: string,
  hasRow: (tx: Tx) => Promise<boolean>,
  end: () => void = die,
) => {
  let isDead = false
  const dieAt = (place: string) => {
    if (place !== where && !isDead) return
    isDead = true
    end()
  }
  let isBegun = false
  let isWritten = false
  const records: Records = {
    ...store,
    system: async (work) => {
      if (isBegun) dieAt('before the row')
      const done = await store.system(async (tx) => {
        const answer = await work(tx)
        isWritten ||= isBegun && (await hasRow(tx))
        if (isWritten) dieAt('before the commit of the row')
        return answer
      })
      if (isWritten) dieAt('after the row')
      return done
    },
  }
  return { records, dieAt, begin: () => (isBegun = true) }
}
