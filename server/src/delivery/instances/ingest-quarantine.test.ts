import fc from 'fast-check'
import { edgeTelemetry } from '@gridmast/contract/delivery/edge.ts'
import { expect, test } from 'vitest'
import { batch, gone, ingestForTests, iso, noon, send } from './broker.fixture.ts'
import { checkTelemetry, openIngest } from './ingest.ts'
import { testDirectory } from './ingest.fixture.ts'

const { at, connect, stored } = ingestForTests()

const year = 366 * 24 * 3_600_000
const event = { v: 1, id: '019a0000-0000-7000-8000-000000000001', market: 'FCR-D-INC', direction: 'increased' }
test.each([
  ['not JSON', '{"v":1,'],
  ['not JSON', '{"v":1,"seq":1,"t0":"2026-11-20T12:00:00Z","dtMs":1000,"p":[NaN]}'],
  ['not an object', '[]'],
  ['v is not 1', batch({ v: 2 })],
  ['t0 is not an instant', batch({ t0: '2026-02-31T00:00:00Z' })],
  ['dtMs is out of range', batch({ dtMs: 0 })],
  ['p holds no number', batch({ p: [1, '2'] })],
  ['p is out of range', batch({ p: [1, 1.7e308] })],
  ['f is out of range', batch({ f: [1e9], p: [1] })],
  ['sp is out of range', batch({ sp: [5000], p: [1] })],
  ['soc is out of range', batch({ soc: -20 })],
  ['capUp is out of range', batch({ capUp: 1.7e308 })],
  ['p has 0 or too many samples', batch({ p: Array.from({ length: 61 }, () => 1) })],
  ['lists of different length', batch({ f: [50] })],
  ['no signal of this group', batch({ p: undefined })],
  ['clock ahead', batch({ t0: iso(noon + 60_000 + 300_000 - 1000) })],
  ['clock behind', batch({ t0: iso(noon - 1.2 * year) })],
  ['unknown group', batch()],
])('D3: %s is quarantined with its reason and acknowledged', async (reason, payload) => {
  const edge = await connect('edge-5')
  await send(edge, `gm/v1/edge-5/telemetry/${reason === 'unknown group' ? 'other' : 'lab'}`, payload)
  expect(at.quarantined).toEqual([reason])
  expect(at.committed).toEqual([])
  await send(edge, 'gm/v1/edge-5/status', { v: 1, online: true })
  expect(at.quarantined).toHaveLength(1)
})

test.each(['status', 'telemetry/lab', 'meter/lab', 'event/lab', 'log/lab', 'cmd/res'])(
  'L1: a message nested 3,900 levels deep on %s is quarantined, and the connection stays open',
  async (kind) => {
    const edge = await connect('edge-5')
    const deep = `${'['.repeat(3900)}${']'.repeat(3900)}`
    await send(edge, `gm/v1/edge-5/${kind}`, JSON.stringify(batch()).replace('{', `{"more":${deep},`))
    await send(edge, 'gm/v1/edge-5/status', { v: 1, online: true })
    expect(at.quarantined).toEqual(['not JSON'])
  },
)

test.each([
  ['a NUL', 'v4.4.0\u0000', 'codeVersion is not valid'],
  ['half a surrogate pair', 'v4.4.0\ud800', 'codeVersion is not valid'],
  ['a mark that reorders the line', 'v4.4.0\u202e', 'codeVersion is not valid'],
])('T5: a status whose text has %s is quarantined', async (_what, codeVersion, reason) => {
  const edge = await connect('edge-5')
  await send(edge, 'gm/v1/edge-5/status', JSON.stringify({ v: 1, online: true, codeVersion }))
  expect(at.quarantined).toEqual([reason])
  expect(at.reported).toEqual([])
})

test('D3: a message that the records store rejects is quarantined, and one that it cannot store now is not acknowledged', async () => {
  const edge = await connect('edge-5')
  const entry = (command: string) => ({ v: 1, ts: iso(noon), deviceId: 'pump', command })
  await send(edge, 'gm/v1/edge-5/log/lab', entry('too much'))
  expect(at.quarantined).toEqual(['not storable'])
  await send(edge, 'gm/v1/edge-5/log/lab', entry('fine'))
  expect(at.refused).toEqual([])
  const closed = gone(edge)
  edge.publish('gm/v1/edge-5/log/lab', JSON.stringify(entry('too early')), { qos: 1 })
  await closed
  expect(at.refused).toEqual(['not stored'])
})

test.each(['9999-12-31T00:00:00.000Z', iso(noon + 24 * 3_600_000)])(
  'D3: an activation that began at %s is quarantined',
  async (start) => {
    const edge = await connect('edge-5')
    await send(edge, 'gm/v1/edge-5/event/lab', JSON.stringify({ ...event, start, end: null }))
    expect(at.quarantined).toEqual(['clock ahead'])
  },
)

test.each([
  [-1000, ['end is before start']],
  [11 * 24 * 3_600_000, ['event is too long']],
  [600_000, []],
])('D3: an activation that ends %d ms after its start is checked', async (ms, reasons) => {
  const edge = await connect('edge-5')
  const start = noon - 20 * 24 * 3_600_000
  await send(edge, 'gm/v1/edge-5/event/lab', JSON.stringify({ ...event, start: iso(start), end: iso(start + ms) }))
  expect(at.quarantined).toEqual(reasons)
})

test('D3: a message of a removed edge from an outside broker is quarantined', async () => {
  const reasons: string[] = []
  const take = openIngest({
    readings: {
      insert: async () => {},
      quarantine: async (found) => void reasons.push(...found.map((one) => one.reason)),
    },
    directory: testDirectory(),
  })
  const topic = 'gm/v1/removed/status'
  await take({
    edgeKey: 'removed',
    kind: 'status',
    groupId: null,
    topic,
    payload: Buffer.from('{}'),
    receivedAtMs: noon,
  })
  expect(reasons).toEqual(['unknown edge'])
})

test('D3: samples just inside the limits of the clock are stored', async () => {
  const edge = await connect('edge-6')
  await send(edge, 'gm/v1/edge-6/telemetry/lab', batch({ t0: iso(at.nowMs + 300_000 - 2000) }))
  await send(edge, 'gm/v1/edge-6/telemetry/lab', batch({ t0: iso(at.nowMs - 400 * 24 * 3_600_000) }))
  expect(await stored(61)).toHaveLength(6)
})

test('D3: a sample older than the retention is quarantined', async () => {
  const kept: number[] = []
  const ingest = openIngest({
    readings: { insert: async ([run]) => void kept.push(run?.t0Ms ?? 0), quarantine: async () => {} },
    directory: testDirectory(1),
    now: () => noon,
    retentionDays: 31,
    counters: { message: () => {}, samples: () => {}, quarantined: (reason) => at.quarantined.push(reason) },
  })
  const day = 24 * 3_600_000
  for (const t0 of [noon - 31 * day, noon - 31 * day - 1])
    await ingest({
      edgeKey: 'edge-1',
      kind: 'telemetry',
      groupId: 'lab',
      topic: '',
      receivedAtMs: noon,
      payload: Buffer.from(JSON.stringify(batch({ t0: iso(t0) }))),
    })
  expect([kept, at.quarantined]).toEqual([[noon - 31 * day], ['clock behind']])
})

test('the quick check and the schema of the contract agree', () => {
  const odd = fc.oneof(fc.constantFrom(undefined, null, 1, -1, 1.5, '1', [], [null], [1, 'x'], {}, true), fc.double())
  const list = fc.oneof(
    fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 70 }),
    odd,
  )
  const t0 = fc.oneof(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((d) => d.toISOString()),
    odd,
  )
  const message = fc.record(
    {
      v: fc.oneof(fc.constant(1), odd),
      seq: fc.oneof(fc.nat(), odd),
      t0,
      dtMs: fc.oneof(fc.nat(), odd),
      f: list,
      p: list,
      sp: list,
      capUp: list,
      capDn: list,
      soc: list,
    },
    { requiredKeys: ['v'] },
  )
  fc.assert(
    fc.property(message, (raw) => {
      let isUsable = true
      try {
        checkTelemetry(raw)
      } catch {
        isUsable = false
      }
      expect(isUsable).toBe(edgeTelemetry.safeParse(raw).success)
    }),
    { numRuns: 2000 },
  )
})
