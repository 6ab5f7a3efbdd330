import { addDays, type LocalDate } from '@gridmast/contract/time.ts'
import { columns, type Dataset, type Row } from './dataset.ts'

type Owner = { name: string; gln: string }
type Listed = { owner: Owner; code: string; note: string; from: LocalDate; to: LocalDate | null; hours: number[] }

const energinet = { name: 'Energinet Systemansvar A/S (SYO)', gln: '5790000432752' }
const flat = (price: number) => [price]

/** National charges in DKK/kWh without VAT: transmission, system, electricity tax. */
const national: Listed[] = [
  ['40000', 'Transmissions nettarif', [0.061, 0.043, 0.056]],
  ['41000', 'Systemtarif', [0.074, 0.072, 0.049]],
  ['EA-001', 'Elafgift', [0.72, 0.008, 0.008]],
].flatMap(([code, note, prices]) =>
  (prices as number[]).map((price, i) => ({
    owner: energinet,
    code: String(code),
    note: String(note),
    from: `${2025 + i}-01-01`,
    to: `${2026 + i}-01-01`,
    hours: flat(price),
  })),
)

/** Real grid companies and codes with invented prices: low at night, high from 17 to 21, higher in winter. */
const companies: { owner: Owner; code: string; level: number }[] = [
  { owner: { name: 'Radius Elnet A/S', gln: '5790000705689' }, code: 'DT_C_01', level: 0.15 },
  { owner: { name: 'Cerius A/S', gln: '5790000705184' }, code: '30TR_C_ET', level: 0.17 },
  { owner: { name: 'N1 A/S', gln: '5790001089030' }, code: 'CD', level: 0.13 },
  { owner: { name: 'TREFOR El-net A/S', gln: '5790000392261' }, code: 'C', level: 0.14 },
]

const dayShape = (level: number): number[] =>
  Array.from({ length: 24 }, (_, hour) => {
    const factor = hour < 6 ? 0.66 : hour >= 17 && hour < 21 ? 2 : 1
    return Number((level * factor).toFixed(4))
  })

const local: Listed[] = companies.flatMap(({ owner, code, level }) =>
  [2025, 2026, 2027].flatMap((year) => [
    { owner, code, note: 'Nettarif C time', from: `${year}-04-01`, to: `${year}-10-01`, hours: dayShape(level * 0.8) },
    { owner, code, note: 'Nettarif C time', from: `${year}-10-01`, to: `${year + 1}-04-01`, hours: dayShape(level) },
  ]),
)

const names = Array.from({ length: 24 }, (_, hour) => `Price${hour + 1}`)

const rowOf = ({ owner, code, note, from, to, hours }: Listed): Row => ({
  ChargeOwner: owner.name,
  GLN_Number: owner.gln,
  ChargeType: 'D03',
  ChargeTypeCode: code,
  Note: note,
  Description: note,
  ValidFrom: `${from}T00:00:00`,
  ValidTo: to ? `${to}T00:00:00` : null,
  VATClass: 'D02',
  ...Object.fromEntries(names.map((name, hour) => [name, hours[hour] ?? null])),
  TransparentInvoicing: 0,
  TaxIndicator: code === 'EA-001' ? 1 : 0,
  ResolutionDuration: hours.length === 1 ? 'P1D' : 'PT1H',
})

export const priceList: Dataset = {
  name: 'DatahubPricelist',
  title: 'DataHub price list',
  resolution: 'validity',
  timeColumn: 'ValidFrom',
  areas: null,
  columns: columns(
    'ChargeOwner',
    'GLN_Number',
    'ChargeType',
    'ChargeTypeCode',
    'Note',
    'Description',
    'ValidFrom',
    'ValidTo',
    'VATClass',
    ...names.map((name) => `${name}:DKK per kWh`),
    'TransparentInvoicing:-',
    'TaxIndicator:-',
    'ResolutionDuration',
  ),
  days: () => ['2025-01-01', addDays('2028-01-01', 0)],
  rows: (_, __, date) => [...national, ...local].filter((one) => one.from === date).map(rowOf),
}
