import type { ClickHouseClient } from '@clickhouse/client'
import type { Places } from './cluster.ts'
import { ints, rows, text } from './sql.ts'

/** Series of one statement: its text stays below the limit of 256 KiB. */
const signalsAtOnce = 5000

const chunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

const countIn = async (client: ClickHouseClient, table: string, where: string): Promise<number> => {
  const [row] = await rows<[number]>(client, `select count() from gridmast.${table} where ${where}`)
  return row?.[0] ?? 0
}

/**
 * Deletes all samples and roll-ups of the series, and what devices sent that could not be stored. Each statement rewrites the parts that have
 * such rows and ends when all replicas have done so; throws when rows are left.
 */
export const eraseSeries = async (
  client: ClickHouseClient,
  places: Pick<Places, 'alter'>,
  signalNos: readonly number[],
  edgeKeys: readonly string[],
): Promise<void> => {
  const works = [
    ...chunks(signalNos, signalsAtOnce).flatMap((nos) =>
      ['samples', 'minutes'].map((table) => ({ table, where: `signal_no in (${ints(nos)})` })),
    ),
    ...chunks(edgeKeys, signalsAtOnce).map((keys) => ({
      table: 'quarantine',
      where: `edge in (${keys.map(text).join(', ')})`,
    })),
  ]
  for (const { table, where } of works) {
    if ((await countIn(client, table, where)) === 0) continue
    await client.command({ query: `${places.alter(table)} delete where ${where} settings mutations_sync = 2` })
    const left = await countIn(client, table, where)
    if (left > 0) throw new Error(`${left} rows of ${table} could not be deleted`)
  }
}
