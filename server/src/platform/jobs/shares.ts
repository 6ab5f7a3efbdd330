import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import type { Log } from '#platform/process/log.ts'
import type { Records } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

type Options = {
  records: Records
  log: Log
  name: string
  /** Number of shares of the work, 1 to `of`; processes of another number wait until these have ended. */
  of: number
  renewMs?: number
  /** By the clock of the store, the same for all processes. */
  staleMs?: number
  onGained: (no: number) => void
  /** Ends the work on a share, which another process takes over afterwards. */
  onReleased: (no: number) => Promise<void>
  /** Another process has it: this one must stop its work at once. */
  onLost: (no: number) => void
}

export type Shares = { held: () => number[]; close: () => Promise<void> }

type LeaseRow = { name: string; isMine: boolean; isFresh: boolean }

/**
 * Divides work among the processes of a name: each holds at most its even part, one lease a share, and releases the rest when another process
 * joins. With one share the others are standbys. A process that ends by kill -9 is followed after `staleMs`.
 */
export const openShares = (options: Options): Shares => {
  const { records, log, name, of, renewMs = 1500, staleMs = 5000, onGained, onReleased, onLost } = options
  const self = newId()
  const member = `${name} member/${of} `
  const leaseOf = (no: number) => (of === 1 ? name : `${name} ${no}/${of}`)
  const all = Array.from({ length: of }, (_, i) => i + 1)
  let held: number[] = []
  const releasing = new Map<number, Promise<void>>()
  let isClosing = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let renewedAtMs = performance.now()
  let mayFollowAtMs = 0
  let isWaiting = false

  /** All processes were without the store: their leases are stale although they run, so none is taken over until they could renew them. */
  const noteRenewal = () => {
    const nowMs = performance.now()
    if (nowMs - renewedAtMs > staleMs) mayFollowAtMs = nowMs + staleMs
    renewedAtMs = nowMs
  }

  const renew = () =>
    records.system(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`lease ${name}`}))`.execute(tx)
      const rows = await sqlRows<LeaseRow>(tx)`
        select name, holder = ${self} as "isMine",
          renewed_at >= clock_timestamp() - make_interval(secs => ${staleMs / 1000}) as "isFresh"
        from lease where name = ${name} or starts_with(name, ${`${name} `})`
      noteRenewal()
      await sql`update lease set renewed_at = clock_timestamp() where holder = ${self}`.execute(tx)
      const others = rows.filter(({ isMine, isFresh }) => isFresh && !isMine)
      const kept = all.filter((no) => rows.some((row) => row.isMine && row.name === leaseOf(no)))
      const members = 1 + others.filter((row) => row.name.startsWith(member)).length
      const most = Math.ceil(of / members)
      const own = new Set(all.map(leaseOf))
      const isOther = (row: LeaseRow) => !own.has(row.name) && !row.name.startsWith(`${name} member/`)
      const isBlocked = others.some(isOther)
      if (isClosing || isBlocked) return { kept, taken: [], most, isBlocked }
      await sql`
        insert into lease (name, holder, renewed_at) values (${`${member}${self}`}, ${self}, clock_timestamp())
        on conflict (name) do nothing`.execute(tx)
      const mayFollow = performance.now() >= mayFollowAtMs
      const isFree = (no: number) => {
        const row = rows.find((one) => one.name === leaseOf(no))
        return !row || (!row.isFresh && !row.isMine && mayFollow)
      }
      const taken = all.filter(isFree).slice(0, Math.max(0, most - kept.length))
      // Also ends a paused process with another number of shares.
      const stale = rows.filter((row) => !row.isFresh && !row.isMine && mayFollow && !own.has(row.name))
      const names = [...stale.map((row) => row.name), ...taken.map(leaseOf)]
      if (names.length > 0) await sql`delete from lease where name = any (${names}::text[])`.execute(tx)
      if (taken.length > 0)
        await sql`
          insert into lease (name, holder, renewed_at)
          select taken, ${self}, clock_timestamp() from unnest(${taken.map(leaseOf)}::text[]) as taken`.execute(tx)
      return { kept, taken, most, isBlocked }
    })

  const remove = (names: readonly string[]) =>
    records
      .system((tx) => sql`delete from lease where name = any (${names}::text[]) and holder = ${self}`.execute(tx))
      .catch((error: unknown) => log.warn({ err: error, leases: names }, 'leases not released; they end by themselves'))

  const release = async (no: number) => {
    await onReleased(no).catch((error: unknown) => log.error({ err: error, lease: leaseOf(no) }, 'share not closed'))
    held = held.filter((other) => other !== no)
    await remove([leaseOf(no)])
    log.info({ lease: leaseOf(no) }, 'lease released')
  }
  const releaseOnce = (no: number) => {
    const running = releasing.get(no) ?? release(no).finally(() => releasing.delete(no))
    releasing.set(no, running)
    return running
  }

  const check = async () => {
    try {
      const { kept, taken, most, isBlocked } = await renew()
      if (isBlocked !== isWaiting && (isWaiting = isBlocked))
        log.warn({ name, shares: of }, 'waiting: processes with another number of shares still run')
      if (isClosed) return
      const lost = held.filter((no) => !kept.includes(no) && !releasing.has(no))
      held = held.filter((no) => !lost.includes(no))
      lost.forEach(onLost)
      for (const no of taken) {
        held.push(no)
        log.info({ lease: leaseOf(no) }, 'lease taken')
        onGained(no)
      }
      const staying = held.filter((no) => !releasing.has(no))
      for (const no of staying.slice(most)) void releaseOnce(no)
    } catch (error) {
      // Without the store no other process takes a lease either.
      log.warn({ err: error, name }, 'leases not renewed')
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
  let checking = check()
  void checking.then(scheduleNext)

  return {
    held: () => [...held],
    close: async () => {
      isClosing = true
      await checking
      await remove([`${member}${self}`])
      await Promise.all(held.map(releaseOnce))
      isClosed = true
      clearTimeout(timer)
      await checking
    },
  }
}
