import { addDays, today } from '@gridmast/contract/time.ts'
import * as contract from '@gridmast/contract/meters/data-hub.ts'
import { runMeters } from '../../server/src/meters/data-hub/sync.ts'
import { openTestApp } from '../../server/src/testing/app.ts'
import { simulatedToken } from './eloverblik.ts'
import { demoCvrs, simulatedMeters } from './meters.ts'
import { openMarketData } from './server.ts'
import { changeRows } from '../../server/src/testing/rows.ts'

export const refreshToken = simulatedToken('THIRDPARTYAPI_Refresh', Date.parse('2027-06-01T00:00:00Z'))

export const openHub = async (startIso = '2026-11-20T12:00:00Z') => {
  let nowMs = Date.parse(startIso)
  const asked: string[] = []
  const server = openMarketData({ prices: new Map(), hours: new Map() } as never, () => nowMs) // only Eloverblik is requested here
  server.prependListener('request', (request) => {
    if (request.url?.startsWith('/eloverblik/')) asked.push(request.url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  const baseUrl = `http://127.0.0.1:${address.port}`
  const app = await openTestApp({
    ELOVERBLIK_URL: `${baseUrl}/eloverblik`,
    ELOVERBLIK_TOKEN: refreshToken,
    ELOVERBLIK_MIN_INTERVAL_MS: '0',
    ELOVERBLIK_HISTORY_DAYS: '50',
  })
  app.setNow(startIso)
  await changeRows(app.records, 'customer', { key: 'north' }, { cvrs: Object.values(demoCvrs) })
  const setNow = (iso: string) => {
    nowMs = Date.parse(iso)
    app.setNow(iso)
  }
  const sudoer = () => app.tokenOf('sudoer@north.example')
  const groups = async () => (await app.ask(contract.findMeterGroups, { token: await sudoer() })).body.data.groups
  return {
    app,
    asked,
    now: () => nowMs,
    setNow,
    toNextDay: (time: string) => setNow(`${addDays(today(nowMs), 1)}${time}`),
    fault: (body: object) =>
      fetch(`${baseUrl}/_faults`, { method: 'POST', body: JSON.stringify({ dataset: 'eloverblik', ...body }) }),
    noFaults: () => fetch(`${baseUrl}/_faults`, { method: 'DELETE' }),
    /** Lets a fault hit the intended request instead of the token request. */
    withAccess: () =>
      changeRows(
        app.records,
        'connector_token',
        {},
        {
          access_sealed: app.secret.seal(simulatedToken('THIRDPARTYAPI_DataAccess', nowMs + 20 * 3_600_000)),
          access_until: new Date(nowMs + 20 * 3_600_000),
        },
      ),
    run: () => runMeters(app, performance.now() + 60_000),
    meterState: () =>
      app.records.system((tx) =>
        tx.selectFrom('connector_state').selectAll().where('dataset', '=', 'MeterData').executeTakeFirst(),
      ),
    daysStored: () =>
      app.records.system((tx) =>
        tx.selectFrom('meter_day').select(['meter_id', 'day', 'version']).orderBy('day').execute(),
      ),
    seriesAsked: () =>
      asked
        .splice(0)
        .filter((path) => path.includes('gettimeseries'))
        .map((path) => path.split('/').slice(-3, -1).join(' ')),
    groups,
    addKey: async (key: string, watch?: string) =>
      app.ask(contract.addMeterGroup, { token: await sudoer(), body: { dataHub: { key }, watch } }),
    configure: async (names: string[]) => {
      const signal = await app.records.system((tx) =>
        tx
          .selectFrom('price_signal')
          .select('price_signal_id')
          .innerJoin('customer', 'customer.customer_id', 'price_signal.customer_id')
          .where('customer.key', '=', 'north')
          .executeTakeFirstOrThrow(),
      )
      const token = await sudoer()
      for (const group of await groups())
        for (const meter of group.meterIdData) {
          const simulated = simulatedMeters.find(({ id }) => id === meter.meteringPointId)
          if (!simulated || !names.includes(simulated.name)) continue
          const dataHub = {
            name: `${simulated.name} meter`,
            priceSignal: signal.price_signal_id,
            taxValue: 119,
            enabled: true,
          }
          await app.ask(contract.saveMeter, {
            token,
            params: { groupId: group._id, meterId: meter.id },
            body: { dataHub },
          })
        }
    },
    close: async () => {
      await app.close()
      server.close()
    },
  }
}

export const sevenMeters = simulatedMeters
  .filter(({ cvr }) => cvr === demoCvrs.nordhavn)
  .map(({ name }) => name)
  .slice(0, 7)
