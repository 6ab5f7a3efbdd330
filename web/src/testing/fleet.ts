import type { Data } from '@gridmast/contract/call.ts'
import type { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import type { ChargerService } from '@gridmast/contract/charging/chargers.ts'
import { atLocalTime } from '@gridmast/contract/time.ts'

export const fleetId = (n: number) => `44444444-4444-4444-8444-44444444444${n}`
export const fleetCharger = (
  n: number,
  name: string,
  state: 'charging' | 'faulted' | 'available',
  isActive = true,
) => ({
  _id: fleetId(n),
  name,
  description: '',
  meta: { isActive },
  connectors: [{ connectorId: 1, state }],
  sessions: n,
  energyKwh: n * 10.5,
  utilisation: n / 10,
})
const x = ['2026-11-19', '2026-11-20'].map((day) => atLocalTime(day, '00:00'))
export const someFleet: Data<typeof fleetDashboard> = {
  chargers: [
    fleetCharger(1, 'Rampe 1', 'charging'),
    fleetCharger(2, 'Rampe 2', 'available'),
    fleetCharger(3, 'Rampe 3', 'faulted'),
    fleetCharger(4, 'Rampe 4', 'available', false),
  ],
  attention: [
    {
      chargerId: fleetId(3),
      name: 'Rampe 3',
      connectorId: 1,
      reason: 'faulted',
      detail: 'GroundFailure',
      transactionId: null,
      since: '2026-11-20T10:00:00.000Z',
    },
    {
      chargerId: fleetId(4),
      name: 'Rampe 4',
      connectorId: null,
      reason: 'offline',
      detail: null,
      transactionId: null,
      since: '2026-11-20T10:00:00.000Z',
    },
  ],
  running: 1,
  today: { sessions: 7, energyKwh: 84.25 },
  month: { sessions: 128, energyKwh: 2418.4 },
  costs: {
    sessions: 128,
    kwh: 2418.4,
    dkk: '1843.27',
    driverDkk: '5000.00',
    marginDkk: '3156.73',
    kgCo2: 240,
    kwhWithoutCost: 18.4,
    kwhWithoutCo2: 18.4,
  },
  before: {
    until: '2026-10-24',
    costs: {
      sessions: 100,
      kwh: 2000,
      dkk: '2000.00',
      driverDkk: '4000.00',
      marginDkk: '2000.00',
      kgCo2: 200,
      kwhWithoutCost: 0,
      kwhWithoutCo2: 0,
    },
  },
  uncounted: { doubted: { sessions: 0, kwh: 0 }, refused: { sessions: 0, kwh: 0 } },
  sessionsData: [{ name: 'Sessions', unit: '', kind: 'column', x, y: [3, 7] }],
  energyData: [{ name: 'Energy', unit: 'kWh', kind: 'column', x, y: [40, 84.25] }],
  simulated: false,
}

export const someService: ChargerService = {
  _id: fleetId(1),
  name: 'Port 1',
  identity: 'NH-01',
  connectors: 2,
  isActive: true,
  lastSeen: '2026-11-20T11:00:00.000Z',
  version: 'ocpp1.6',
  vendor: 'ABB',
  model: 'Terra AC',
  firmware: '1.6.6',
  diagnostics: null,
  firmwareUpdate: { status: 'Downloading', at: '2026-11-20T11:00:00.000Z' },
  securityProfile: 1,
  configurationRead: null,
  deviations: 3,
}
