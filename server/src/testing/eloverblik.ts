import { createServer } from 'node:http'
import { addDays, dayBounds, hourMs } from '@gridmast/contract/time.ts'

/** An unsigned, long-lived refresh token in Eloverblik's format. */
export const refreshToken = ['{"alg":"none"}', '{"tokenType":"THIRDPARTYAPI_Refresh","exp":4102444800}', 'x']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

const ofPoint = (id: string, from: string, to: string) => {
  const Period: object[] = []
  for (let day = from; day < to; day = addDays(day, 1)) {
    const { fromMs, toMs } = dayBounds(day)
    Period.push({
      resolution: 'PT1H',
      timeInterval: { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString() },
      Point: Array.from({ length: (toMs - fromMs) / hourMs }, (_, i) => ({
        position: String(i + 1),
        'out_Quantity.quantity': '1.5',
        'out_Quantity.quality': 'A04',
      })),
    })
  }
  const TimeSeries = [{ businessType: 'A04', 'measurement_Unit.name': 'KWH', Period }]
  return { id, success: true, errorCode: 10000, errorText: 'NoError', MyEnergyData_MarketDocument: { TimeSeries } }
}

type AskedEloverblik = { path: string; points: string[] }

/** Eloverblik with 1.5 kWh per hour for any metering point. Awaits `onAsk` before each answer; for its faults use the simulator. */
export const serveEloverblik = async (onAsk: (asked: AskedEloverblik) => void | Promise<void>) => {
  const server = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const part of request) text += String(part)
      const path = (request.url ?? '').slice(1)
      const body = (text ? JSON.parse(text) : {}) as { meteringPoints?: { meteringPoint: string[] } }
      const points = body.meteringPoints?.meteringPoint ?? []
      await onAsk({ path, points })
      const [, from = '', to = ''] = /gettimeseries\/([^/]+)\/([^/]+)\//.exec(path) ?? []
      const result = path === 'token' ? 'a.data.access.token' : points.map((id) => ofPoint(id, from, to))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ result }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
