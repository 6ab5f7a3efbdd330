import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect } from 'vitest'

/** The end of a tool with all that it printed. */
export const finish = async (child: ChildProcess) => {
  const [out, complaint] = [child.stdout ? text(child.stdout) : '', child.stderr ? text(child.stderr) : '']
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, out: await out, complaint: await complaint }
}

/**
 * Holds what the statement `lock` locks, kills the tool with -9 while it waits for it, and releases it once PostgreSQL has ended the transaction
 * of the tool.
 */
export const killWhileWaiting = async (connectionString: string, lock: string, child: ChildProcess) => {
  const [holding, watching] = [0, 1].map(() => new pg.Client({ connectionString }))
  if (!holding || !watching) throw new Error('unreachable: two were created')
  const ended = finish(child)
  const blocked = async () =>
    (await watching.query('select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0')).rowCount
  try {
    await holding.connect()
    await watching.connect()
    await holding.query(`begin; ${lock}`)
    const early = ended.then((end) => {
      throw new Error(`The tool ended before it waited: ${JSON.stringify(end)}`)
    })
    await Promise.race([expect.poll(blocked, { timeout: 60_000 }).toBe(1), early])
    early.catch(() => {})
    child.kill('SIGKILL')
    await ended
    // PostgreSQL notices the end of a client that waits for a lock only afterwards.
    await watching.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0',
    )
    await expect.poll(blocked, { timeout: 60_000 }).toBe(0)
    await holding.query('rollback')
  } finally {
    child.kill('SIGKILL')
    await holding.end()
    await watching.end()
  }
}
