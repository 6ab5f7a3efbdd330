import type { Meter, MeterGroup } from '@gridmast/contract/data-hub.ts'

export const source = { name: 'Energinet', dataset: 'Eloverblik', licence: null, simulated: true }
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
