import { cutOffMs, gateMs, nextOpenDay, type Gate } from '@gridmast/contract/bid-slots.ts'
import { addDays, dayMs, type LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { operator } from '#config.ts'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { gateMissed } from './mails.ts'
import { claimFile, findAllGates } from './placed.ts'

/** Gates that closed earlier are not notified: after days of downtime the operator is aware of them. */
const toldWithinMs = dayMs

const closedDays = (gate: Gate, nowMs: number): LocalDate[] => {
  const days: LocalDate[] = []
  for (
    let day = addDays(nextOpenDay(gate, nowMs), -1);
    gateMs(gate, day) > nowMs - toldWithinMs;
    day = addDays(day, -1)
  )
    if (gateMs(gate, day) <= nowMs) days.push(day)
  return days
}

type Missed = { customer_id: string; company: string; instances: string[] }

/** Customers with requests from before the cut-off and without a bid file: no process ran between cut-off and gate. */
const findMissed = async (tx: Tx, gate: Gate, day: LocalDate): Promise<Missed[]> => {
  const { rows } = await sql<Missed>`
    select r.customer_id, c.name as company, array_agg(distinct i.name order by i.name) as instances
    from bid_request r join customer c on c.customer_id = r.customer_id
    join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id and i.enabled and i.bid_active
    where r.market = ${gate.market} and r.status <> 'withdrawn' and r.start_date <= ${day} and r.end_date >= ${day}
      and r.created_at < ${new Date(cutOffMs(gate, day))}
      and not r.excluded_days @> jsonb_build_array(jsonb_build_object('date', ${day}::text))
      and not exists (select from bid_file f
        where f.customer_id = r.customer_id and f.market = r.market and f.auction = ${gate.auction} and f.day = ${day})
    group by r.customer_id, c.name`.execute(tx)
  return rows
}

/** Notifies the operator once: an empty bid file is claimed in the transaction of the mail. */
export const tellMissedGates = async (app: Pick<App, 'records' | 'config' | 'clock' | 'log'>): Promise<number> => {
  const nowMs = app.clock.now()
  let told = 0
  for (const gate of await app.records.system(findAllGates))
    for (const day of closedDays(gate, nowMs))
      for (const { customer_id, company, instances } of await app.records.system((tx) => findMissed(tx, gate, day)))
        told += await app.records.tenant(customer_id, async (tx) => {
          const { market, auction } = gate
          const file = { customer_id, market, auction, day, file_id: newId(nowMs), sent_at: new Date(nowMs) }
          if (!(await claimFile(tx, file))) return 0
          const letter = gateMissed({ company, market, auction, day, gateMs: gateMs(gate, day), instances })
          await queueMail(tx, operator(app.config, customer_id), letter, { nowMs })
          await writeAudit(tx, customer_id, nowMs, {
            who: 'Gridmast',
            action: 'bid-request.miss',
            subject: `${market} ${day}`,
            after: { market, auction, day, instances },
          })
          return 1
        })
  return told
}
