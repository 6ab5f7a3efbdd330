import type { Sample } from '#readings/samples.ts'
import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { getLicence } from '#access/licence.ts'
import { readConnectors } from './connectors.ts'
import { route } from '#context.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { type RowOf, selectRows } from '#platform/records/rows.ts'

/** With the lock, the charger cannot go offline unnoticed before the end of the transaction. */
export const getCharger = (tx: Tx, customerId: string, chargerId: string, isLocked = false) =>
  selectRows(tx, customerId, 'charger', { charger_id: chargerId })
    .select(['charger_id', 'name', 'connectors', 'online', 'simulated', 'charger_type'])
    .$if(isLocked, (of) => of.forShare())
    .executeTakeFirstOrThrow(notFound)

const readFleet = async (tx: Tx, customerId: string, licenceId: string) => {
  const chargers = await selectRows(tx, customerId, 'charger', { licence_id: licenceId, enabled: true })
    .selectAll()
    .orderBy('position')
    .orderBy('charger_id')
    .execute()
  const signals = await selectRows(tx, customerId, 'charger_signal', { kind: ['power', 'soc'] })
    .select(['charger_id', 'evse_no', 'kind', 'no'])
    .execute()
  return { chargers, signals, connectorsOf: await readConnectors(tx, customerId) }
}

type Fleet = Awaited<ReturnType<typeof readFleet>>

/** A charger measures at least this often while a car is plugged in; older values are not current. */
const freshMs = 16 * minuteMs

type Connectors = ReturnType<Fleet['connectorsOf']>
type Session = RowOf<'charger_transaction', 'charger_id' | 'evse_no' | 'started_at'>

const measuredOf = (fleet: Fleet, latest: ReadonlyMap<number, Sample>, nowMs: number) => {
  const numbers = new Map(fleet.signals.map((one) => [`${one.charger_id} ${one.evse_no} ${one.kind}`, one.no]))
  const last = (session: Session, kind: string): number | null => {
    const sample = latest.get(numbers.get(`${session.charger_id} ${session.evse_no} ${kind}`) ?? -1)
    const fromMs = Math.max(session.started_at.getTime(), nowMs - freshMs)
    return sample && sample.tMs >= fromMs ? sample.value : null
  }
  return (session: Session | undefined) => {
    const watt = session ? last(session, 'power') : null
    return { powerKw: watt === null ? null : watt / 1000, soc: session ? last(session, 'soc') : null }
  }
}

const toCharger = (
  row: Fleet['chargers'][number],
  connectors: Connectors,
  measured: ReturnType<typeof measuredOf>,
): contract.Charger => ({
  _id: row.charger_id,
  name: row.name,
  identity: row.identity,
  description: row.description,
  createdAt: row.created_at.toISOString(),
  meta: {
    serialNumber: row.serial_number,
    connectors: row.connectors,
    chargerType: row.charger_type === 'DC' ? 'DC' : 'AC',
    isActive: row.online,
    maxKw: Number(row.max_kw),
    vendor: row.vendor,
    model: row.model,
    firmware: row.firmware,
    version: row.version,
  },
  lastSeen: row.last_seen_at?.toISOString() ?? null,
  connectors: connectors.map(({ connectorId, state, error, since, session }) => ({
    connectorId,
    state,
    error,
    since: since?.toISOString() ?? null,
    transactionId: session?.transaction_id ?? null,
    ...measured(row.online ? session : undefined),
  })),
  simulated: row.simulated,
})

export const findChargers = route(contract.findChargers, async ({ app, own, params, nowMs }) => {
  const fleet = await own(async (tx, customerId) => {
    await getLicence(tx, customerId, params.id)
    return readFleet(tx, customerId, params.id)
  })
  const chargers = fleet.chargers.map((row) => ({
    row,
    connectors: fleet.connectorsOf(row.charger_id, row.connectors),
  }))
  const running = new Set(
    chargers.flatMap(({ row, connectors }) =>
      connectors.filter(({ session }) => session).map(({ connectorId }) => `${row.charger_id} ${connectorId}`),
    ),
  )
  const signals = fleet.signals.filter((one) => running.has(`${one.charger_id} ${one.evse_no}`))
  const measured = measuredOf(fleet, await app.readings.latest(signals.map(({ no }) => no)), nowMs)
  return { chargers: chargers.map(({ row, connectors }) => toCharger(row, connectors, measured)) }
})
