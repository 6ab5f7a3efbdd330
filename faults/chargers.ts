import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openWire } from '../simulators/charge-point/wire.ts'
import type { Part } from '../tools/installation.ts'
import { until } from './processes.ts'

const everyMs = 200
const energyWh = 500

type Session = { no: number; stopWh: number; sentMs: number; atMs: number }

/** A charger of OCPP 1.6 with one short session after the other; each message is repeated until it is answered. */
export const openCharger = ({ portal }: Part, { identity, tag }: { identity: string; tag: string }) => {
  const wire = openWire({
    url: `${portal.replace('http', 'ws')}/ocpp`,
    identity,
    password: 'gridmast-demo',
    version: 'ocpp1.6',
    retryMs: 100,
    greet: () => ['BootNotification', { chargePointVendor: 'Gridmast', chargePointModel: 'Drill' }],
    onAsked: () => ({ status: 'Accepted' }),
  })
  const answered: Session[] = []
  const firstMs = Date.now() - 86_400_000
  let count = 0
  let isSending = true
  const timestamp = () => new Date(firstMs + ++count * 1000).toISOString()
  const sending = (async () => {
    while (isSending) {
      const [sentMs, meterStart] = [Date.now(), count * energyWh]
      const start = { connectorId: 1, idTag: tag, meterStart, timestamp: timestamp() }
      const no = Number((await wire.say('StartTransaction', start))?.['transactionId'])
      const stopWh = meterStart + energyWh
      const stop = { transactionId: no, idTag: tag, meterStop: stopWh, timestamp: timestamp() }
      if (await wire.say('StopTransaction', stop)) answered.push({ no, stopWh, sentMs, atMs: Date.now() })
      await pause(everyMs)
    }
  })()
  return {
    answered,
    recoveryS: (faultMs: number): number => {
      const first = answered.find(({ sentMs }) => sentMs > faultMs)
      return first ? (first.atMs - faultMs) / 1000 : Infinity
    },
    finish: async () => {
      isSending = false
      let isOver = false
      void sending.then(() => (isOver = true))
      await until('the last session is answered', () => isOver)
    },
    close: wire.close,
    /** Compares the answered sessions with the rows. */
    compare: async (records: string): Promise<{ lost: number; doubled: number }> => {
      const client = new pg.Client({ connectionString: records })
      await client.connect()
      try {
        const { rows } = await client.query<{ no: number; wh: number; same: number }>(
          `select t.no::int as no, t.meter_stop_wh::float as wh, count(*) over (partition by t.started_at)::int as same
           from charger_transaction t join charger c on c.customer_id = t.customer_id and c.charger_id = t.charger_id
           where c.identity = $1 and t.started_at >= $2 and t.state = 'ended'`,
          [identity, new Date(firstMs)],
        )
        const stopped = new Map(rows.map(({ no, wh }) => [no, wh]))
        return {
          lost: answered.filter(({ no, stopWh }) => stopped.get(no) !== stopWh).length,
          doubled: rows.filter(({ same }) => same > 1).length,
        }
      } finally {
        await client.end()
      }
    },
  }
}
