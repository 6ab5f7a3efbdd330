import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { isInPartition, type Partition } from './partition.ts'

type Change = { added: string[]; removed: string[] }

const findKeys = (tx: Tx, partition: Partition, customerId: string | null) =>
  tx
    .selectFrom('edge as e')
    .select(['e.key', 'e.customer_id'])
    .where('e.enabled', '=', true)
    .where(isInPartition('e.key', partition))
    .$if(customerId !== null, (query) => query.where('e.customer_id', '=', customerId))
    .execute()

const retryMs = 1000

/** Keys of the enabled edges of a partition, kept up to date by the bus: a change of a customer reads the edges of that customer. */
export const openEdgeKeys = async (
  { records, bus, log }: Pick<App, 'records' | 'bus' | 'log'>,
  partition: Partition,
) => {
  const customerOf = new Map<string, string>()
  const stale = new Set<string | null>()
  let listener: (change: Change) => void = () => {}
  let reading: Promise<void> | undefined
  let retrying: NodeJS.Timeout | undefined

  const read = async (customerId: string | null) => {
    const rows = await records.system((tx) => findKeys(tx, partition, customerId))
    const current = new Set(rows.map(({ key }) => key))
    const isRead = (customer: string) => customerId === null || customer === customerId
    const removed = [...customerOf].flatMap(([key, customer]) => (isRead(customer) && !current.has(key) ? [key] : []))
    const added = rows.flatMap(({ key }) => (customerOf.has(key) ? [] : [key]))
    for (const key of removed) customerOf.delete(key)
    for (const { key, customer_id } of rows) customerOf.set(key, customer_id)
    if (added.length + removed.length > 0) listener({ added, removed })
  }

  const readStale = async () => {
    for (const customerId of stale) {
      stale.delete(customerId)
      try {
        await read(customerId)
      } catch (error) {
        stale.add(customerId)
        log.warn({ err: error }, 'edges of the partition not read, will be retried')
        retrying = setTimeout(start, retryMs).unref()
        return
      }
    }
  }
  const start = () => {
    reading ??= readStale().finally(() => (reading = undefined))
  }
  const change = (customerId: string | null) => {
    stale.add(customerId)
    start()
  }
  // Before the first read, so that no change is missed.
  const stops = [
    bus.listen('edges', (customerId) => typeof customerId === 'string' && change(customerId)),
    bus.listen('resync', () => change(null)),
  ]
  await read(null)
  return {
    all: () => [...customerOf.keys()],
    onChange: (next: (change: Change) => void) => (listener = next),
    close: () => {
      clearTimeout(retrying)
      for (const stop of stops) stop()
    },
  }
}
