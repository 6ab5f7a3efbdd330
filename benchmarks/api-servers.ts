// The servers under load in api.ts, in a separate process: a bare Fastify hello, and the complete HTTP layer.
import { frequencyLastReported } from '@gridmast/contract/grid/frequency.ts'
import Fastify from 'fastify'
import { refuse } from '../server/src/access/gates.ts'
import { openFileTickets } from '../server/src/access/file-tickets.ts'
import { findViewer } from '../server/src/access/viewer.ts'
import { ownOf, route } from '../server/src/context.ts'
import { openHttp } from '../server/src/platform/http/http.ts'
import { openMetrics } from '../server/src/platform/process/metrics.ts'
import { openReadCache } from '../server/src/platform/records/read-cache.ts'
import { openTestApp } from '../server/src/testing/app.ts'

const app = await openTestApp()
const token = await app.tokenOf('custom@north.example')

const readCache = openReadCache(app.records, app.bus)

const bare = Fastify()
bare.get('/', () => ({ hello: 'world' }))

// An empty handler measures token, session, role, allowed map, input, envelope, headers and limits.
const gated = await openHttp({
  routes: [route(frequencyLastReported, () => Promise.resolve({ lastReported: null }))],
  context: app,
  log: app.log,
  metrics: openMetrics(), // those of the app have the metrics of its own HTTP layer
  tickets: openFileTickets(app),
  authenticate: (given) => findViewer(app.records, given, app.clock.now()),
  refuse,
  ownOf: (viewer, at) => ownOf({ ...app, readCache }, viewer, at),
  now: app.clock.now,
  changed: () => {},
  userOf: (viewer) => viewer.userId,
  companyOf: (viewer) => viewer.customerId,
  requestsPerMinute: 1e9,
})

const listen = { port: 0, host: '127.0.0.1' }
process.send?.({
  bare: await bare.listen(listen),
  gated: await gated.listen(listen),
  path: frequencyLastReported.path,
  token,
})
process.once('message', async () => {
  await bare.close()
  await gated.close()
  await app.close()
  process.disconnect()
})
