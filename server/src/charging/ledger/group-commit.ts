import { sql } from 'kysely'
import { isUnavailable, isConflict } from '#platform/http/errors.ts'
import { sqlRows, insertRows, type RowOf } from '#platform/records/rows.ts'
import { insertMarks } from '#platform/records/marks.ts'
import { savepoint } from '#platform/records/pending.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Readings } from '#readings/readings.ts'
import type { Run } from '#readings/writer.ts'
import type { Charger } from './directory.ts'
import { type ChargerSignalKind, chargerSignalKinds, type Reading } from './meter-values.ts'

type Connector = { customer_id: string; charger_id: string; evse_no: number }
const keyOf = ({ charger_id, evse_no }: Connector) => `${charger_id} ${evse_no}`

type Register = RowOf<'charger_register'>

export type Values = { registers: readonly Register[]; runs: readonly Run[] }
const noValues: Values = { registers: [], runs: [] }

type Item = Values & {
  work: ((tx: Tx) => Promise<unknown>) | null
  resolve: (done: unknown) => void
  reject: (error: unknown) => void
}

const maxPerGroup = 500
/** A group costs the store 0.7 ms of CPU regardless of its size. */
const patienceMs = 8

export const saveRegisters = async (tx: Tx, rows: readonly Register[]) => {
  if (rows.length === 0) return
  // A fixed order, so that two processes cannot deadlock.
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  // Marked by the same statement: a second one added 0.6 ms to a group of one message (measured).
  const days = sql`(select customer_id, charger_id, evse_no, timezone('UTC', at)::date as day from added)`
  await sql`
    with added as (${insertRows('charger_register', inOrder)} on conflict do nothing returning customer_id, charger_id, evse_no, at)
    ${insertMarks('charging_due', days)}`.execute(tx)
}

/**
 * Messages that arrive at the same time share a transaction: while one runs, the next fills. A failed group is repeated with a savepoint per item, so
 * that a message that the store never accepts affects only itself; that item is tried twice more alone, because another process may have been first.
 * Series and ledger both accept the same reading twice, so a crash between them loses nothing: the charger has no answer and repeats the message.
 */
export const openGroupCommit = (records: Records, readings: Pick<Readings, 'append'>) => {
  const queue: Item[] = []
  let isRunning = false
  let isBusy = false
  let timer: NodeJS.Timeout | undefined

  const store = async <T>(items: readonly Item[], work: (tx: Tx) => Promise<T>): Promise<T> => {
    const runs = items.flatMap((item) => item.runs)
    const storing = records.system(async (tx) => {
      // The job that counts waits for transactions by their number (`isSettled` in count.ts), so it is there before marks are read.
      if (!records.embedded) await sql`select pg_current_xact_id()`.execute(tx)
      return work(tx)
    })
    const [done] = await Promise.all([storing, runs.length > 0 ? readings.append(runs) : null])
    return done
  }
  const together = (items: readonly Item[]): Promise<unknown[]> =>
    store(items, async (tx) => {
      const registers = items.flatMap((item) => item.registers)
      await saveRegisters(tx, registers)
      const results: unknown[] = []
      for (const { work } of items) results.push(work && (await work(tx)))
      return results
    })
  const apart = async (items: readonly Item[]): Promise<Item[]> => {
    const done = await store(items, async (tx) => {
      const results: { isDone: boolean; result?: unknown }[] = []
      for (const { registers, work } of items) {
        try {
          const result = await savepoint(tx, async () => {
            await saveRegisters(tx, registers)
            return work && (await work(tx))
          })
          results.push({ isDone: true, result })
        } catch (error) {
          if (isUnavailable(error)) throw error
          results.push({ isDone: false })
        }
      }
      return results
    })
    items.forEach((item, i) => done[i]?.isDone && item.resolve(done[i].result))
    return items.filter((_, i) => !done[i]?.isDone)
  }
  const alone = async (item: Item) => {
    const [result] = await together([item]).catch(() => together([item]))
    item.resolve(result)
  }

  const run = async () => {
    isRunning = true
    clearTimeout(timer)
    timer = undefined
    do {
      const items = queue.splice(0, maxPerGroup)
      isBusy = items.length > 1
      try {
        const done = await together(items)
        items.forEach((item, i) => item.resolve(done[i]))
      } catch (error) {
        if (isUnavailable(error) && !isConflict(error)) for (const item of items) item.reject(error)
        else for (const item of await apart(items).catch(() => items)) await alone(item).catch(item.reject)
      }
    } while (queue.some(({ work }) => work))
    isRunning = false
    wake()
  }
  const wake = () => {
    if (isRunning || queue.length === 0) return
    if (isBusy && queue.every(({ work }) => !work)) timer ??= setTimeout(() => void run(), patienceMs)
    else void run()
  }
  const add = <T>(work: ((tx: Tx) => Promise<T>) | null, values: Values) =>
    new Promise<T>((resolve, reject) => {
      // The result of the work has the type of its caller.
      queue.push({ ...values, work, resolve: resolve as (done: unknown) => void, reject })
      wake()
    })

  return {
    /** Commits readings and one unit of work in a shared transaction; resolves once it is committed and the series are on disk. */
    commit: <T>(work: (tx: Tx) => Promise<T>, values = noValues) => add(work, values),
    keep: async (values: Values) => {
      if (values.registers.length > 0 || values.runs.length > 0) await add(null, values)
    },
    waiting: () => queue.length,
  }
}

const registersOf = ({ customerId, chargerId }: Charger, evse: number, readings: readonly Reading[]) =>
  readings
    .filter(({ kind }) => kind === 'energy')
    .map(({ atMs, value, context }): Register => ({
      customer_id: customerId,
      charger_id: chargerId,
      evse_no: evse,
      at: new Date(atMs),
      context: context.slice(0, 40),
      wh: value.toFixed(3),
    }))

type Numbers = Partial<Record<ChargerSignalKind, number>>
type ConnectorKinds = Connector & { kinds: readonly ChargerSignalKind[] }

const signalNumbers = (records: Records, connectors: readonly ConnectorKinds[]) =>
  records.system(async (tx) => {
    const recordset = (some: readonly Connector[]) =>
      sql`jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as o (customer_id uuid, charger_id uuid, evse_no integer, kind text)`
    const read = async () => {
      const rows = await sqlRows<Connector & { kind: ChargerSignalKind; no: number }>(tx)`
        select s.customer_id, s.charger_id, s.evse_no, s.kind, s.no from ${recordset(connectors)}
        join charger_signal s using (customer_id, charger_id, evse_no)`
      return Map.groupBy(rows, keyOf)
    }
    const before = await read()
    const missing = connectors.flatMap(({ kinds, ...connector }) =>
      kinds
        .filter((kind) => !before.get(keyOf(connector))?.some((row) => row.kind === kind))
        .map((kind) => ({ ...connector, kind })),
    )
    if (missing.length > 0)
      await sql`
        insert into charger_signal (customer_id, charger_id, evse_no, kind)
        select customer_id, charger_id, evse_no, kind from ${recordset(missing)}
        order by 1, 2, 3, 4 on conflict do nothing`.execute(tx)
    const numbers = missing.length > 0 ? await read() : before
    return new Map(
      [...numbers].map(([key, rows]) => [key, Object.fromEntries(rows.map(({ kind, no }) => [kind, no])) as Numbers]), // all kinds exist by now
    )
  })

/** EVSE numbers within the protocol's range; higher numbers are counted as a deviation and are not stored. */
const maxConnectors = 64

export const openValues = (records: Records) => {
  const stored = new Map<string, Numbers>()
  const missing = new Map<string, ConnectorKinds>()
  let reading: Promise<void> | undefined

  const readMissing = async () => {
    while (missing.size > 0) {
      const connectors = [...missing.values()]
      missing.clear()
      for (const [key, numbers] of await signalNumbers(records, connectors)) stored.set(key, numbers)
    }
  }
  const numbersOf = async (
    { customerId, chargerId }: Charger,
    evse: number,
    kinds: readonly ChargerSignalKind[],
  ): Promise<Numbers> => {
    const connector = { customer_id: customerId, charger_id: chargerId, evse_no: evse }
    for (;;) {
      const numbers = stored.get(keyOf(connector))
      if (numbers && kinds.every((kind) => numbers[kind] !== undefined)) return numbers
      const others = missing.get(keyOf(connector))?.kinds ?? []
      missing.set(keyOf(connector), { ...connector, kinds: [...new Set([...others, ...kinds])] })
      await (reading ??= readMissing().finally(() => (reading = undefined)))
    }
  }
  return {
    isConnector: (evse: number): boolean => Number.isInteger(evse) && evse >= 0 && evse <= maxConnectors,
    of: async (charger: Charger, evse: number, readings: readonly Reading[]): Promise<Values> => {
      const kinds = new Set([...chargerSignalKinds, ...readings.map(({ kind }) => kind)])
      const numbers = await numbersOf(charger, evse, [...kinds])
      return {
        registers: registersOf(charger, evse, readings),
        runs: readings.flatMap(({ kind, atMs, value }) => {
          const signalNo = numbers[kind]
          return signalNo === undefined ? [] : [{ signalNo, t0Ms: atMs, dtMs: 1000, values: [value] }]
        }),
      }
    },
  }
}
