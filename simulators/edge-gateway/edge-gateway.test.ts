import { edgeEvent, edgeLog, edgeMeter, edgeStatus, edgeTelemetry } from '@gridmast/contract/delivery/edge.ts'
import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWatch, type Activation, type Change } from './activations.ts'
import { decide } from './commands.ts'
import { covered, holes, newestFirst, type Interval } from './coverage.ts'
import { isActivated, sampleAt } from './device.ts'
import { replay, status, type Message } from './messages.ts'
import { readWorld, type Group } from './world-file.ts'

const edges = readWorld(join(import.meta.dirname, '../../demo/world.yaml'), ['edge-lab'])
const groupOf = (key: string): Group => {
  const group = edges.flatMap(({ groups }) => groups).find((one) => one.key === key)
  if (!group) throw new Error(`no group ${key}`)
  return group
}
const startS = Date.parse('2026-11-02T00:00:00Z') / 1000

describe('the world file', () => {
  test('three edges have two groups each, and the spare edge is unused', () => {
    expect(edges.map(({ key, groups }) => [key, groups.map((group) => group.key)])).toEqual([
      ['edge-nord-01', ['koel-1', 'koel-2']],
      ['edge-nord-02', ['batteri', 'ladepark']],
      ['edge-esb-01', ['fryselager', 'varmepumpe']],
    ])
    expect(readWorld(join(import.meta.dirname, '../../demo/world.yaml'), []).map(({ key }) => key)).toContain(
      'edge-lab',
    )
  })
})

describe('an instance on several markets', () => {
  const group = { ...groupOf('batteri'), markets: ['FCR-D-INC', 'FCR-D-DEC', 'aFRR'] }
  const alone = (market: string) => ({ ...group, markets: [market] })
  const seconds = Array.from({ length: 86_400 }, (_, i) => startS + i)

  test('it responds on each market as if it were the only one, while the others rest', () => {
    for (const market of group.markets) {
      const others = { ...group, markets: group.markets.filter((one) => one !== market) }
      const rests = [1, 2, 3, 5, ...Array.from({ length: 17 }, (_, i) => i * 4)]
      const called = seconds.filter(
        (second) => isActivated(alone(market), second) && !rests.some((back) => isActivated(others, second - back)),
      )
      expect(called.length).toBeGreaterThan(100)
      for (const second of called.filter((_, i) => i % 50 === 0))
        expect(sampleAt(group, [], second).kw).toBe(sampleAt(alone(market), [], second).kw)
    }
  })

  test('its set point is that of the operator and not of the frequency, and activations are reported per market', () => {
    const byFrequency = seconds.find(
      (second) => isActivated(alone('FCR-D-INC'), second) && !isActivated(alone('aFRR'), second),
    )
    const byOperator = seconds.find((second) => isActivated(alone('aFRR'), second))
    expect(sampleAt(group, [], byFrequency ?? 0).setPoint).toBe(0)
    expect(sampleAt(group, [], byOperator ?? 0).setPoint).not.toBe(0)
    const watch = openWatch('edge', group, startS)
    const told = seconds
      .flatMap((second) => watch(second))
      .flatMap((change) => ('activation' in change ? [change.activation.market] : []))
    expect(new Set(told)).toEqual(new Set(group.markets))
  })
})

test('the set point of the operator is followed within its tolerance, despite the changes of the load', () => {
  const group = groupOf('varmepumpe')
  const { flexibleKw } = group.load
  const samples = Array.from({ length: 43_200 }, (_, i) => sampleAt(group, [], startS + i))
  const isRest = (from: number, to: number) => samples.slice(from, to).every(({ setPoint }) => setPoint === 0)
  const starts = samples.flatMap(({ setPoint }, i) => (setPoint !== 0 && i > 130 && isRest(i - 120, i) ? [i] : []))
  expect(starts.length).toBeGreaterThan(5)
  for (const start of starts) {
    const before = samples.slice(start - 60, start - 4)
    const base = before.reduce((sum, { kw }) => sum + kw, 0) / before.length
    let [inside, all] = [0, 0]
    for (let i = start; i < samples.length && !isRest(i, i + 60); i++) {
      const asked = samples.slice(Math.max(start, i - 30), i + 1).map(({ setPoint }) => (setPoint / 100) * flexibleKw)
      const moved = base - (samples[i]?.kw ?? 0)
      const room = 0.05 * flexibleKw
      if (moved >= Math.min(...asked) - room && moved <= Math.max(...asked) + room) inside++
      all++
    }
    expect(inside / all).toBeGreaterThan(0.95)
  }
})

describe('acknowledged and pending time ranges', () => {
  const interval = fc
    .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 50 }))
    .map(([from, length]): Interval => [from, from + length])

  test('acknowledged and pending ranges together cover the whole time, in any order of acknowledgements', () => {
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 20 }), (acknowledged) => {
        const known = acknowledged.reduce<Interval[]>((before, one) => covered(before, one), [])
        const owed = holes(known, [0, 250])
        const seconds = Array.from({ length: 250 }, (_, second) => second)
        const isIn = (list: readonly Interval[], second: number) => list.some(([a, b]) => second >= a && second < b)
        for (const second of seconds) {
          expect(isIn(known, second)).toBe(isIn(acknowledged, second))
          expect(isIn(owed, second)).toBe(!isIn(acknowledged, second))
        }
        for (let i = 1; i < known.length; i++) expect(known[i]?.[0]).toBeGreaterThan(known[i - 1]?.[1] ?? Infinity)
      }),
    )
  })

  test('the last hour is sent first, then today, then earlier days split at local midnight', () => {
    const at = (text: string) => Date.parse(text) / 1000
    const holesOf = (group: string, from: string, to: string) => ({
      group,
      hole: [at(from), at(to)] satisfies Interval,
    })
    const owed = [
      holesOf('a', '2026-11-18T22:00:00Z', '2026-11-20T12:00:00Z'),
      holesOf('b', '2026-11-20T09:00:00Z', '2026-11-20T11:30:00Z'),
    ]
    expect(newestFirst(owed, at('2026-11-20T11:00:00Z'))).toEqual([
      holesOf('a', '2026-11-20T11:00:00Z', '2026-11-20T12:00:00Z'),
      holesOf('b', '2026-11-20T11:00:00Z', '2026-11-20T11:30:00Z'),
      holesOf('a', '2026-11-19T23:00:00Z', '2026-11-20T11:00:00Z'),
      holesOf('b', '2026-11-20T09:00:00Z', '2026-11-20T11:00:00Z'),
      holesOf('a', '2026-11-18T23:00:00Z', '2026-11-19T23:00:00Z'),
      holesOf('a', '2026-11-18T22:00:00Z', '2026-11-18T23:00:00Z'),
    ])
  })
})

describe('messages', () => {
  const schemas = { telemetry: edgeTelemetry, meter: edgeMeter, event: edgeEvent, log: edgeLog }
  const read = (message: Message) => {
    const [, , , kind = ''] = message.topic.split('/')
    return { kind, body: JSON.parse(message.payload) as Record<string, unknown> } // checked against its schema below
  }

  test.each(['koel-1', 'koel-2', 'batteri', 'ladepark', 'fryselager', 'varmepumpe'])(
    'six hours of %s fit the contract, have every second once and are reproducible',
    (key) => {
      const span: Interval = [startS + 17, startS + 6 * 3600]
      const messages = [...replay('edge', groupOf(key), [], span)]
      let next = span[0]
      for (const message of messages) {
        const { kind, body } = read(message)
        schemas[kind as keyof typeof schemas].parse(body)
        if (kind !== 'telemetry') continue
        const { t0, f = [], p = [], sp = [] } = edgeTelemetry.parse(body)
        expect(Date.parse(t0) / 1000).toBe(next)
        expect([p.length, sp.length]).toEqual([f.length, f.length])
        expect(message.covers).toEqual([next, next + f.length])
        next += f.length
      }
      expect(next).toBe(span[1])
      expect([...replay('edge', groupOf(key), [], span)]).toEqual(messages)
    },
  )

  test('old quiet minutes have a sample every three seconds, minutes around an activation have all', () => {
    const group = groupOf('koel-1')
    const span: Interval = [startS, startS + 6 * 3600]
    const thinBeforeS = startS + 5 * 3600
    let next = span[0]
    const steps = new Set<number>()
    for (const { payload, covers } of replay('edge', group, [], span, thinBeforeS)) {
      if (!covers) continue
      const { dtMs, p = [] } = edgeTelemetry.parse(JSON.parse(payload))
      expect(covers).toEqual([next, next + (p.length * dtMs) / 1000])
      next = covers[1]
      steps.add(dtMs)
      if (dtMs === 1000) continue
      expect(covers[1]).toBeLessThanOrEqual(thinBeforeS)
      for (let second = covers[0] - 120; second < covers[1] + 120; second += 4)
        expect(isActivated(group, second)).toBe(false)
    }
    expect([next, [...steps].toSorted((a, b) => a - b)]).toEqual([span[1], [1000, 3000]])
  })

  test('a status fits the contract', () => {
    const statuses = edges.map((edge) =>
      edgeStatus.parse(read(status(edge, Date.now(), 12, { backlogS: 60, keptS: 86_400 })).body),
    )
    expect(statuses[0]).toMatchObject({ online: true, codeVersion: 'v4.4.0', groups: ['koel-1', 'koel-2'] })
    expect(statuses.map(({ codeVersion }) => codeVersion)).toEqual(['v4.4.0', 'v4.4.0', 'v4.3.9'])
  })
})

describe('activations', () => {
  const watchDay = (group: Group, fromS: number, toS: number) => {
    const step = openWatch('edge', group, fromS)
    const changes: Change[] = []
    for (let second = fromS; second < toS; second++) changes.push(...step(second))
    return changes.flatMap((change): Activation[] => ('activation' in change ? [change.activation] : []))
  }

  test('each activation begins and ends once, with at least a minute of rest before the next', () => {
    const told = watchDay(groupOf('koel-1'), startS, startS + 2 * 86_400)
    const ended = told.filter(({ endS }) => endS !== null)
    expect(ended.length).toBeGreaterThan(10)
    expect(new Set(ended.map(({ id }) => id)).size).toBe(ended.length)
    ended.forEach((one, i) => {
      expect(one.direction).toBe('increased')
      expect(one.extFreq).toBeLessThan(49.9)
      expect(one.endS ?? 0).toBeGreaterThan(one.startS)
      const next = ended[i + 1]
      if (next) expect(next.startS - (one.endS ?? Infinity)).toBeGreaterThanOrEqual(59)
    })
  })

  test('a simulation started later reports the same activations', () => {
    const group = groupOf('varmepumpe')
    const whole = watchDay(group, startS, startS + 43_200).filter(({ endS }) => endS !== null)
    const middleS = (whole[3]?.startS ?? 0) + 1
    const late = watchDay(group, middleS, startS + 43_200).filter(({ endS }) => endS !== null)
    expect(late).toEqual(whole.slice(3))
  })

  test('power falls by the activation and by a manual set point', () => {
    const group = groupOf('koel-1')
    const first = watchDay(group, startS, startS + 86_400).find(({ maxSetPoint, endS }) => endS && maxSetPoint > 10)
    expect(first).toBeDefined()
    const atS = startS + 1000
    const before = sampleAt(group, [], atS + 60)
    const after = sampleAt(group, [{ atS, setPoint: 40 }], atS + 60)
    expect(before.setPoint).toBe(0)
    expect(after).toEqual({ hz: before.hz, setPoint: 40, kw: expect.closeTo(before.kw - 0.4 * 400, 1) })
  })
})

describe('commands', () => {
  const nowMs = Date.parse('2026-11-20T10:00:05Z')
  const request = (changes: object = {}) =>
    JSON.stringify({
      v: 1,
      id: '3f0c0000-0000-4000-8000-000000000001',
      action: 'manual-control',
      testType: 'control',
      groupId: 'koel-1',
      profiles: [{ setPoint: 40 }],
      issuedAt: '2026-11-20T10:00:00.000Z',
      ttlS: 15,
      maxHoldS: 1800,
      by: 'someone',
      ...changes,
    })
  const site = (active = false) => ({ groups: ['koel-1', 'koel-2'], isActivated: () => active })

  test('a valid command is executed', () => {
    expect(decide(request(), nowMs, site())).toEqual({
      reply: {
        v: 1,
        id: '3f0c0000-0000-4000-8000-000000000001',
        status: 'APPLIED',
        setPoint: 40,
        ts: '2026-11-20T10:00:05.000Z',
        detail: null,
      },
      apply: { groups: ['koel-1'], setPoint: 40, holdS: 1800 },
    })
  })

  test.each([
    ['too late', request({ issuedAt: '2026-11-20T09:59:00.000Z' }), 'ERROR: expired'],
    ['out of steps', request({ profiles: [{ setPoint: 45 }] }), 'REJECTED: OUT OF RANGE'],
    ['too much', request({ profiles: [{ setPoint: 110 }] }), 'REJECTED: OUT OF RANGE'],
    ['another group', request({ groupId: 'lab' }), 'ERROR: unknown group'],
    ['without a group', request({ groupId: undefined }), 'ERROR: a set point needs a group'],
    ['another action', request({ action: 'reboot' }), 'ERROR: unknown action reboot'],
    ['another version', request({ v: 2 }), 'ERROR: not a request of version 1'],
  ])('a command that is %s is refused and changes nothing', (_, payload, expected) => {
    expect(decide(payload, nowMs, site())).toMatchObject({ reply: { status: expected }, apply: null })
  })

  test('manual set points are refused during an activation', () => {
    expect(decide(request(), nowMs, site(true))).toMatchObject({
      reply: { status: 'REJECTED: MARKET ACTIVE' },
      apply: null,
    })
  })

  test.each([-3000, 3000])('C1 a clock that differs by %i ms accepts a command for the 10 s of the portal', (offMs) => {
    const sentMs = Date.parse('2026-11-20T10:00:00.000Z')
    for (const tookMs of [0, 9999])
      expect(decide(request(), sentMs + tookMs + offMs, site())?.reply.status).toBe('APPLIED')
    expect(decide(request(), sentMs + 18_001, site())?.reply.status).toBe('ERROR: expired')
  })

  test('0 is accepted during an activation, for one group or all', () => {
    const release = (groupId?: string) => decide(request({ groupId, profiles: [{ setPoint: 0 }] }), nowMs, site(true))
    expect(release('koel-1')).toMatchObject({
      reply: { status: 'APPLIED' },
      apply: { groups: ['koel-1'], setPoint: 0 },
    })
    expect(release()).toMatchObject({ apply: { groups: ['koel-1', 'koel-2'], setPoint: 0 } })
  })

  test('a command without an id gets no answer', () => {
    for (const payload of ['', '{}', '[]', '{"id":7}']) expect(decide(payload, nowMs, site())).toBeNull()
  })
})
