import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import type { Log } from '#platform/process/log.ts'
import type { Records } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

type Options = {
  records: Records
  log: Log
  name: string
  renewMs?: number
  /** By the clock of the store, the same for all processes. */
  staleMs?: number
  onGained: () => void
  /** Another process has it: this one must stop its work at once. */
  onLost: () => void
}

export type Lease = { isHeld: () => boolean; close: () => Promise<void> }

/** Waits in the background until this process holds the lease, and renews it. A holder that ends by kill -9 is followed after `staleMs`. */
export const openLease = ({ records, log, name, renewMs = 1500, staleMs = 5000, onGained, onLost }: Options): Lease => {
  const holder = newId()
  let isHeld = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let checking = Promise.resolve()

  const renew = async () => {
    const rows = await records.system(
      (tx) => sqlRows<{ holder: string }>(tx)`
        insert into lease (name, holder, renewed_at) values (${name}, ${holder}, now())
        on conflict (name) do update set holder = excluded.holder, renewed_at = now()
        where lease.holder = excluded.holder or lease.renewed_at < now() - make_interval(secs => ${staleMs / 1000})
        returning holder`,
    )
    return rows.length > 0
  }

  const check = async () => {
    try {
      const holds = await renew()
      if (isClosed || holds === isHeld) return
      isHeld = holds
      if (!holds) return onLost()
      log.info({ lease: name }, 'lease taken')
      onGained()
    } catch (error) {
      // Without the store no other process takes the lease either.
      log.warn({ err: error, lease: name }, 'lease not renewed')
    }
  }

  const scheduleNext = () => {
    if (isClosed) return
    timer = setTimeout(() => {
      checking = check()
      void checking.then(scheduleNext)
    }, renewMs)
    timer.unref()
  }
  checking = check()
  void checking.then(scheduleNext)

  return {
    isHeld: () => isHeld,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await checking
      if (!isHeld) return
      isHeld = false
      await records
        .system((tx) => sql`delete from lease where name = ${name} and holder = ${holder}`.execute(tx))
        .catch((error: unknown) => log.warn({ err: error, lease: name }, 'lease not released; it ends by itself'))
    },
  }
}
