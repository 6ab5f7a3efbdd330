import type { Data } from '@gridmast/contract/call.ts'
import type { findSettlements, Settlement, settlementFormula } from '@gridmast/contract/settlement/economics.ts'
import { hourMs } from '@gridmast/contract/time.ts'

export const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`

const decided = { status: 'active', result: true, won: true } as const
export const notPlaced = { status: 'inactive', result: false, won: false } as const

/** A day that was won, in the first worked example of settlement.md. */
export const settlementOf = (change: Partial<Settlement> = {}): Settlement => ({
  date: '2026-11-19',
  instanceId: idOf(1),
  instanceIdName: 'Nordhavn Køl 1',
  type: 'FCR-D-DEC',
  market: 'FCR-D-DEC',
  source: 'computed',
  capacity: '2',
  customer: '4.90',
  partner: '1.05',
  sc: '0.70',
  enablers: { 'Aggregator A/S': '0.35' },
  energyPrice: null,
  energyState: 'none',
  gross: '7.00',
  penalty: '0.00',
  isResultFetched: true,
  isClosed: true,
  version: 1,
  status: { CM: decided, EAM: notPlaced },
  modalData: {
    capacity: [],
    price: [],
    regulationPrice: [],
    panicHours: [],
    bidStatus: [],
    energyStatus: notPlaced,
  },
  simulated: false,
  ...change,
})

/** Its result is still to come. */
export const waiting: Partial<Settlement> = {
  customer: null,
  partner: null,
  sc: null,
  enablers: null,
  gross: null,
  penalty: null,
  isResultFetched: false,
  status: { CM: { status: 'active', result: false, won: false }, EAM: notPlaced },
}

type Answer = Data<typeof findSettlements>

export const answerOf = (settlements: Settlement[], change: Partial<Answer> = {}): Answer => ({
  settlements,
  count: settlements.length,
  totalRevenue: '4211.37',
  totalRevenuePartner: '1684.55',
  totalRevenueEnabler: '842.27',
  totalRevenueSc: '280.76',
  totalRevenueEnergy: '386.94',
  expectedRevenue: null,
  enablersData: { 'Aggregator A/S': '800.00', 'Flex ApS': '42.27' },
  unpublished: 0,
  unshared: 0,
  energyUnknown: 0,
  exportData: settlements.length > 0 ? ['xlsx', 'csv'] : [],
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  ...change,
})

type Formula = Data<typeof settlementFormula>

const source = {
  name: 'Energi Data Service',
  dataset: 'FcrNdDK2',
  readAt: '2026-11-18T04:10:00.000Z',
  isFile: false,
  simulated: false,
}

/** An hour of 19 November that was bid for; `hour` is local. */
export const lineOf = (hour: number, change: Partial<Formula['lines'][number]> = {}): Formula['lines'][number] => {
  const startMs = Date.parse('2026-11-18T23:00:00Z') + hour * hourMs
  return {
    start: new Date(startMs).toISOString(),
    end: new Date(startMs + hourMs).toISOString(),
    slot: hour,
    auction: 'D-1 early',
    bidMw: '2',
    bidEur: '2',
    won: true,
    decidedBy: 'price',
    wonMw: '2',
    marginalEur: '3.5',
    priceSource: source,
    capacityEur: '7',
    hours: 1,
    missedHours: 0,
    penaltyEur: '0',
    ...change,
  }
}

export const formulaOf = (change: Partial<Formula> = {}): Formula => ({
  version: 1,
  madeAt: '2026-11-20T04:02:00.000Z',
  isNewest: true,
  lines: [
    lineOf(11),
    lineOf(11, { auction: 'D-1 late', won: false, wonMw: null, marginalEur: '1', capacityEur: '0', penaltyEur: '0' }),
  ],
  availability: { isJudged: true, missingShare: 0, notAvailable: [] },
  contract: {
    validFrom: '2026-01-01',
    customer: '70',
    partner: '15',
    sc: '10',
    penaltyTo: 'shares',
    enablers: { 'Aggregator A/S': '5' },
  },
  capacityEur: '7.00',
  penaltyEur: '0.00',
  grossEur: '7.00',
  energyEur: null,
  energy: { state: 'none', quarters: [], unmeasuredQuarters: 0 },
  customer: '4.90',
  partner: '1.05',
  sc: '0.70',
  enablers: { 'Aggregator A/S': '0.35' },
  versions: [{ version: 1, madeAt: '2026-11-20T04:02:00.000Z', grossEur: '7.00', customerEur: '4.90' }],
  ...change,
})
