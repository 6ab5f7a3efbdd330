import type { Data } from '@gridmast/contract/call.ts'
import type { Charger, chargerOverview } from '@gridmast/contract/charging/ev-charging.ts'
import type { ChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import { dayBounds, minuteMs } from '@gridmast/contract/time.ts'

export const licenceId = '55555555-5555-4555-8555-555555555555'
export const idOf = (n: number) => `44444444-4444-4444-8444-${String(n).padStart(12, '0')}`

type Connector = Charger['connectors'][number]
export const connectorOf = (connectorId: number, over: Partial<Connector> = {}): Connector => ({
  connectorId,
  state: 'available',
  error: null,
  since: '2026-11-20T10:00:00.000Z',
  transactionId: null,
  powerKw: null,
  soc: null,
  ...over,
})

export const chargerOf = (n: number, name: string, over: Partial<Charger> = {}): Charger => ({
  _id: idOf(n),
  name,
  identity: `NH-0${n}`,
  description: 'Vans at port 3, beside the ice water store of Nordhavn',
  createdAt: '2026-11-01T10:00:00.000Z',
  meta: {
    serialNumber: 'SN-1',
    connectors: 2,
    chargerType: 'AC',
    isActive: true,
    maxKw: 22,
    vendor: 'ABB',
    model: 'Terra AC',
    firmware: '1.6.6',
    version: 'ocpp1.6',
  },
  lastSeen: '2026-11-20T17:12:05.000Z',
  connectors: [connectorOf(1), connectorOf(2)],
  simulated: false,
  ...over,
})

export const sessionId = '01930000-0000-7000-8000-000000000001'
export const sessionOf = (over: Partial<ChargerTransaction> = {}): ChargerTransaction => ({
  _id: sessionId,
  idTag: '04A219B7',
  tagName: 'Lene Ravn',
  chargerId: idOf(1),
  chargerName: 'Port 1',
  connectorId: 1,
  mode: 'tag',
  type: 'AC',
  status: 'active',
  chargingState: 'charging',
  consumption: 18.42,
  doubtedKwh: null,
  energyReview: null,
  maxKw: 22,
  estimated: false,
  refused: false,
  startTime: new Date(Date.now() - 72.5 * minuteMs).toISOString(),
  endTime: null,
  reason: null,
  cost: null,
  ...over,
})

const from = dayBounds('2026-11-20').fromMs

export const overviewOf = (over: Partial<Data<typeof chargerOverview>> = {}): Data<typeof chargerOverview> => ({
  powerData: [{ name: 'Power', unit: 'kW', kind: 'line', x: [from, from + minuteMs], y: [11, 10.5] }],
  consumptionData: [{ name: 'Consumption', unit: 'kWh', kind: 'column', x: [from], y: [10.75] }],
  SocData: [{ name: 'State of charge', unit: '%', kind: 'line', x: [from, from + minuteMs], y: [40, 41] }],
  lastReported: '2026-11-20T17:12:05.000Z',
  simulated: false,
  ...over,
})
