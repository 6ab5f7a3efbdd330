import { spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import type { Records, Tx } from '#platform/records/records.ts'

/** The processes are short: a second compilation of WebAssembly would cost more than it gains. */
export const shortLife = ['--liftoff-only']

/** As kill -9, but the compile cache is kept for the next process. */
export const die = () => {
  flushCompileCache()
  process.kill(process.pid, 'SIGKILL')
}

/** Starts a test script (`*.process.ts`) in a new Node; its output is complete after its end. */
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
 * Records that kill their process, as by kill -9: 'before the row', 'before the commit of the row' or 'after the row'. Counted from `begin`,
 * so that the setup survives; `dieAt` is for custom places. An `end` that throws simulates the death in this process: the records answer
 * nothing afterwards.
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
        if (isBegun && (await hasRow(tx))) isWritten = true
        if (isWritten) dieAt('before the commit of the row')
        return answer
      })
      if (isWritten) dieAt('after the row')
      return done
    },
  }
  return { records, dieAt, begin: () => (isBegun = true) }
}
