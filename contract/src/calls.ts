import * as auth from './auth.ts'
import type { CallShape } from './call.ts'
import * as capacity from './capacity.ts'
import * as frequency from './frequency.ts'
import * as live from './live.ts'
import * as prices from './prices.ts'
import * as system from './system.ts'

/** Every call of the API by name: OpenAPI, the docs page and the generated tests walk this list. */
export const calls = {
  login: auth.login,
  verify: auth.verify,
  profile: auth.profile,
  logout: auth.logout,
  frequencySeries: frequency.frequencySeries,
  frequencyLastReported: frequency.frequencyLastReported,
  powerCapacity: capacity.powerCapacity,
  powerCapacityLastReported: capacity.powerCapacityLastReported,
  instanceOverview: capacity.instanceOverview,
  instanceLastReported: capacity.instanceLastReported,
  powerCost: prices.powerCost,
  live: live.live,
  systemStatus: system.systemStatus,
  health: system.health,
  openApi: system.openApi,
  docs: system.docs,
} satisfies Record<string, CallShape>
