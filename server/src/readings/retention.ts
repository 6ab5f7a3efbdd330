import { hourMs, dayMs } from '@gridmast/contract/time.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Places } from './cluster.ts'
import { int, rows, text } from './sql.ts'

export type Log = Record<'error' | 'info', (details: object, message: string) => void>

const deleteIntervalMs = 6 * hourMs

type Retention = {
  /** Samples from here on exist; older ones may exist as minutes only. */
  keptSinceMs: () => number
  drop: () => Promise<string[]>
  close: () => void
}

type Options = {
  days: number | undefined
  places: Places
  now: () => number
  whileRolled: <T>(work: (rolledVersion: number) => Promise<T>) => Promise<T>
  onDropped: () => void
  log?: Log | undefined
}

/**
 * Raw samples are dropped by whole months, the partitions of the store, so nothing is rewritten. Roll-ups remain, so a month is dropped only
 * when it is fully rolled up.
 */
export const openRetention = (
  client: ClickHouseClient,
  { days, places, now, whileRolled, onDropped, log }: Options,
): Retention => {
  const keptSinceMs = () => (days === undefined ? 0 : now() - days * dayMs)

  const drop = () =>
    whileRolled(async (rolledVersion) => {
      if (days === undefined) return []
      const months = await rows<[month: string]>(
        client,
        `select distinct partition from ${places.parts}
         where database = 'gridmast' and table = '${places.storedIn('samples')}' and active order by partition`,
      )
      const dropped: string[] = []
      for (const [month] of months)
        if (monthEndMs(month) <= keptSinceMs() && (await newestIn(client, month)) <= rolledVersion) dropped.push(month)
      for (const month of dropped)
        await client.command({ query: `${places.alter('samples')} drop partition ${text(month)}` })
      if (dropped.length > 0) onDropped()
      if (dropped.length > 0)
        log?.info({ months: dropped, days }, 'raw samples dropped after their retention; roll-ups kept')
      return dropped
    })

  const timer = setInterval(() => {
    drop().catch((error: unknown) => log?.error({ err: error }, 'old samples not dropped, will be retried'))
  }, deleteIntervalMs)
  timer.unref()
  return { keptSinceMs, drop, close: () => clearInterval(timer) }
}

const newestIn = async (client: ClickHouseClient, month: string): Promise<number> => {
  const [row] = await rows<[number]>(
    client,
    `select max(version) from gridmast.samples where toYYYYMM(ts) = ${int(Number(month))}`,
  )
  return row?.[0] ?? 0
}

const monthEndMs = (month: string) => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)), 1)
