import { hourMs, dayMs } from '@gridmast/contract/time.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { int, rows, text } from './sql.ts'

export type Log = Record<'error' | 'info', (details: object, message: string) => void>

const everyMs = 6 * hourMs

type Retention = {
  /** Samples from here on are kept for certain; of what is older only minutes may be left. */
  keptSinceMs: () => number
  /** Drops what is too old now, and answers which months went. */
  drop: () => Promise<string[]>
  close: () => void
}

type Options = {
  /** Undefined keeps everything. */
  days: number | undefined
  now: () => number
  /** Runs work during which no roll-up is written, with the version up to which they have come. */
  whileRolled: <T>(work: (rolledVersion: number) => Promise<T>) => Promise<T>
  onDropped: () => void
  log?: Log | undefined
}

/**
 * Raw samples go by whole months, the partitions of the store, once the last day of a month is old enough: nothing is rewritten. Their roll-ups
 * stay, so a month goes only when all of it is in them.
 */
export const openRetention = (
  client: ClickHouseClient,
  { days, now, whileRolled, onDropped, log }: Options,
): Retention => {
  const keptSinceMs = () => (days === undefined ? 0 : now() - days * dayMs)

  const drop = () =>
    whileRolled(async (rolledVersion) => {
      if (days === undefined) return []
      const months = await rows<[month: string]>(
        client,
        `select distinct partition from system.parts where database = 'gridmast' and table = 'samples' and active order by partition`,
      )
      const gone: string[] = []
      for (const [month] of months)
        if (monthEndMs(month) <= keptSinceMs() && (await newestIn(client, month)) <= rolledVersion) gone.push(month)
      for (const month of gone)
        await client.command({ query: `alter table gridmast.samples drop partition ${text(month)}` })
      if (gone.length > 0) onDropped()
      if (gone.length > 0) log?.info({ months: gone, days }, 'raw samples past their retention dropped; roll-ups stay')
      return gone
    })

  const timer = setInterval(() => {
    drop().catch((error: unknown) => log?.error({ err: error }, 'old samples not dropped; the next round tries again'))
  }, everyMs)
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
