import type { Data } from '@gridmast/contract/call.ts'
import type { Meter, meterGraph, MeterGroup, MeterTotals, Quality } from '@gridmast/contract/meters/data-hub.ts'
import { slots } from '@gridmast/contract/slots.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { someSource } from '#testing/samples.ts'

export const source = { ...someSource('Eloverblik'), name: 'Energinet' }
export const priceSignal = '11111111-1111-4111-8111-111111111111'
export const meterId = (n: number) => `44444444-4444-4444-8444-${String(n).padStart(12, '0')}`
export const groupId = (n: number) => `55555555-5555-4555-8555-${String(n).padStart(12, '0')}`

type Over = Partial<Omit<Meter, 'dataHub'>> & { dataHub?: Partial<Meter['dataHub']> }

/** A configured quarter meter of DK2 that was read yesterday, with what a test is about. */
export const someMeter = (n: number, name: string, { dataHub, ...over }: Over = {}): Meter => ({
  id: meterId(n),
  meteringPointId: `57131317400025${String(n).padStart(4, '0')}`,
  configured: true,
  area: 'DK2',
  resolution: 'quarter',
  gridCompany: { name: 'Radius Elnet A/S', gln: '5790000705689' },
  accessTo: '2027-11-30',
  lastRead: new Date(Date.now() - 24 * 3_600_000).toISOString(),
  problem: null,
  ...over,
  dataHub: {
    name,
    priceSignal,
    taxValue: 119,
    tariff: null,
    address: 'Sundkaj 9, 2150 Nordhavn',
    enabled: true,
    ...dataHub,
  },
})

export const unconfigured = (n: number, name: string): Meter =>
  someMeter(n, name, {
    configured: false,
    lastRead: null,
    dataHub: { priceSignal: null, taxValue: null, enabled: false },
  })

export const someGroup = (n: number, key: string, name: string | null, meterIdData: Meter[]): MeterGroup => ({
  _id: groupId(n),
  key,
  name,
  meterIdData,
})

export const twoGroups = [
  someGroup(1, '31245807', 'Nordhavn Frost A/S', [
    someMeter(1, 'Kølehal A'),
    someMeter(2, 'Kølehal B'),
    unconfigured(3, 'Værksted'),
  ]),
  someGroup(2, '38901244', 'Esbjerg Kulde ApS', [someMeter(4, 'Fryselager')]),
]

export const sources = {
  readings: source,
  spot: someSource(),
  emission: someSource('CO2Emis'),
}

/** Totals of a day of `intervals`, all of them read and priced. */
export const someTotals = (
  intervals: number,
  { coverage, ...over }: Partial<Omit<MeterTotals, 'coverage'>> & { coverage?: Partial<MeterTotals['coverage']> } = {},
): MeterTotals => ({
  kwh: '4874.800',
  dkk: { total: '4798.64', spot: '4218.54', tariff: '0.00', tax: '580.10' },
  kgCo2: 812.4,
  ...over,
  coverage: { intervals, read: intervals, estimated: 0, priced: intervals, emission: intervals, ...coverage },
})

type DayOptions = Partial<Data<typeof meterGraph>> & {
  /** By the place of the interval; measured otherwise. */
  quality?: (index: number) => Quality
  step?: 'quarter' | 'hour'
}

/** A day of a meter: each interval n has n + 1 kWh at 1 DKK, and nothing where it is missing. */
export const someDay = (
  date: LocalDate,
  { quality = () => 'measured', step = 'quarter', ...over }: DayOptions = {},
) => {
  const all = slots(step, date)
  const x = all.map(({ fromMs }) => fromMs)
  const values = (value: (index: number) => number) =>
    all.map(({ index }) => (quality(index) === 'missing' ? null : value(index)))
  const named = (name: string, unit: string, kind: 'column' | 'line', y: (number | null)[]) => ({
    name,
    unit,
    kind,
    x,
    y,
  })
  return {
    meter: someMeter(1, 'Kølehal A', { resolution: step }),
    graph: [
      named(
        'consumption',
        'kWh',
        'column',
        values((index) => index + 1),
      ),
      named(
        'cost',
        'DKK',
        'line',
        values((index) => index + 1),
      ),
      named(
        'co2',
        'kg',
        'column',
        values(() => 2),
      ),
    ],
    totals: someTotals(all.length),
    before: null,
    readings: all.map(({ fromMs, toMs, index }) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      kwh: quality(index) === 'missing' ? null : `${index + 1}.000`,
      quality: quality(index),
      dkk: quality(index) === 'missing' ? null : `${index + 1}`,
    })),
    versions: [],
    preview: false,
    lastRead: '2026-11-20T23:00:00Z',
    sources,
    ...over,
  } satisfies Data<typeof meterGraph>
}
