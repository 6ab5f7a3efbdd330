import type { Data } from '@gridmast/contract/call.ts'
import type {
  ActivationEvent,
  RunningActivation,
  eventDataLog,
  findEvents,
} from '@gridmast/contract/delivery/events.ts'
import type { EventGroup } from './GroupList.tsx'

export const [koel, batteri] = [1, 2].map((n) => `44444444-4444-4444-8444-44444444444${n}`) as [string, string]
export const startMs = Date.parse('2026-11-20T13:59:58Z')
const iso = (ms: number) => new Date(ms).toISOString()

export const instances: EventGroup[] = [
  { _id: koel, name: 'Nordhavn Køl 1', market: ['FCR-D-INC'], area: 'DK2' },
  { _id: batteri, name: 'Nordhavn Batteri', market: ['FCR-D-INC', 'FFR'], area: 'DK2' },
]

export const anEvent = (over: Partial<ActivationEvent> = {}): ActivationEvent => ({
  _id: '88888888-8888-4888-8888-888888888881',
  type: 'FCR-D-INC',
  market: 'FCR-D-INC',
  instanceId: koel,
  instanceName: 'Nordhavn Køl 1',
  eventType: 'fcr_based',
  source: 'telemetry',
  direction: 'increased',
  startTime: iso(startMs),
  endTime: iso(startMs + 69_000),
  duration: 69,
  difference: 69,
  deltaLoad: 70,
  processedDeltaLoad: 69.99,
  maxFrequency: 49.62,
  maxSetPoint: null,
  consumption: 13.65,
  isConsumptionEstimated: false,
  capacityKw: 420,
  capacitySource: 'registered',
  slope: null,
  score: 93.5,
  verdict: 'partly delivered',
  edgeReport: null,
  late: false,
  simulated: true,
  ...over,
})

export const aList = (
  events: ActivationEvent[],
  over: Partial<Data<typeof findEvents>> = {},
): Data<typeof findEvents> => ({
  events,
  totalCount: events.length,
  hiddenCount: 0,
  disturbances: null,
  rowCount: over.totalCount ?? events.length,
  minDuration: 9,
  avgDuration: 127.4,
  maxDuration: 724,
  totalConsumption: 89.07,
  eventTypes: ['fcr_based'],
  startDate: '2026-11-14',
  endDate: '2026-11-20',
  ...over,
})

const seconds = Array.from({ length: 130 }, (_, i) => startMs + (i - 30) * 1000)
const line = (name: string, unit: string, y: (second: number) => number | null) => ({
  name,
  unit,
  kind: 'line' as const,
  x: seconds,
  y: seconds.map((_, i) => y(i - 30)),
})
const isAsked = (second: number) => second >= 0 && second < 69

export const aLog = (over: Partial<Data<typeof eventDataLog>> = {}): Data<typeof eventDataLog> => ({
  event: anEvent(),
  activationFrom: 49.9,
  trigger: line('Frequency', 'Hz', (second) => (isAsked(second) ? 49.62 : 49.98)),
  power: line('Power', 'kW', (second) => (isAsked(second) ? 610 : 900)),
  dataLog: [],
  delivery: [
    line('Required', 'kW', (second) => (isAsked(second) ? 294 : null)),
    line('Delivered', 'kW', (second) => (isAsked(second) ? Math.min(290, 40 * second) : null)),
    line('Least', 'kW', (second) => (isAsked(second) ? 200 : null)),
    line('Most', 'kW', (second) => (isAsked(second) ? 373 : null)),
  ],
  score: {
    method: 'response',
    score: 93.5,
    verdict: 'partly delivered',
    from: iso(startMs),
    to: iso(startMs + 69_000),
    missingShare: 0,
    capacityKw: 420,
    baseKw: 900,
    parts: { energy: 0.975, ramp: 0.831, over: 1, weights: { energy: 0.6, ramp: 0.3, over: 0.1 } },
  },
  windows: [],
  ...over,
})

export const aRunning = (over: Partial<RunningActivation> = {}): RunningActivation => ({
  _id: '88888888-8888-4888-8888-888888888882',
  market: 'FCR-D-INC',
  instanceId: koel,
  instanceName: 'Nordhavn Køl 1',
  direction: 'increased',
  startTime: iso(startMs),
  seconds: 12,
  deltaLoad: 70,
  requiredKw: 294,
  deliveredKw: 261.34,
  score: 91.2,
  capacityKw: 420,
  simulated: true,
  ...over,
})
