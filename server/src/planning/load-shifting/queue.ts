import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { App } from '#context.ts'
import { isUnavailable } from '#platform/http/errors.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Reason of an abort at shutdown: the row is put back for another process. */
export const closing = 'closing'

const restMs = 30_000

type Queue<Row> = {
  topic: 'load-plan' | 'load-backtest'
  everyMs: number
  claim: () => Promise<Row | undefined>
  idOf: (row: Row) => string
  /** False where the row was put back: the next row waits for the next turn. */
  run: (row: Row, controller: AbortController) => Promise<boolean>
}

/** Runs the waiting rows of a table in sequence, at each notification of its topic and every `everyMs`; a cancelled row is aborted. */
export const openQueue = <Row>(
  { bus, log, records }: Pick<App, 'bus' | 'log' | 'records'>,
  { topic, everyMs, claim, idOf, run }: Queue<Row>,
) => {
  let current: { id: string; controller: AbortController } | null = null
  let isClosed = false
  let isKicked = false
  let turns: Promise<void> = Promise.resolve()
  /** By `performance.now()`: the notification of a row that is put back must not start the next try. */
  let restsUntilMs = 0
  const runWaiting = async () => {
    isKicked = false
    while (!isClosed) {
      const row = await claim()
      if (!row) return
      const controller = new AbortController()
      current = { id: idOf(row), controller }
      if (isClosed) controller.abort(closing)
      const isDone = await run(row, controller).finally(() => (current = null))
      if (!isDone) return
    }
  }
  const kick = () => {
    if (isClosed || isKicked) return
    isKicked = true
    turns = turns.then(runWaiting).catch((error: unknown) => {
      if (isUnavailable(error)) restsUntilMs = performance.now() + restMs
      log[isUnavailable(error) ? 'warn' : 'error']({ err: error, topic }, 'waiting plans or backtests were not run')
    })
  }
  const isCancelled = async (id: string) => {
    const [table, key] = topic === 'load-plan' ? ['load_plan', 'plan_id'] : ['load_backtest', 'backtest_id']
    const [row] = await records.system(
      (tx) =>
        sqlRows<{ cancel_asked: boolean }>(
          tx,
        )`select cancel_asked from ${sql.table(table)} where ${sql.ref(key)} = ${id}`,
    )
    return row?.cancel_asked ?? false
  }
  const onChange = async (id: string) => {
    if (current?.id !== id) return performance.now() < restsUntilMs ? undefined : kick()
    const { controller } = current
    if (await isCancelled(id)) controller.abort()
  }
  const timer = setInterval(kick, everyMs).unref()
  const stop = bus.listen(topic, (payload) => {
    const id = z.uuid().safeParse(payload)
    if (id.success) void onChange(id.data).catch(() => {})
  })
  kick()
  return {
    idle: async () => {
      kick()
      for (let seen; seen !== turns; await pause(0)) {
        seen = turns
        await seen
      }
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      stop()
      current?.controller.abort(closing)
      await turns
    },
  }
}
