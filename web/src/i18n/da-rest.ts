import { account } from './da/account.ts'
import { apiKeys } from './da/api-keys.ts'
import { audit } from './da/audit.ts'
import { chargeFleet } from './da/charge-fleet.ts'
import { chargingSites } from './da/charging-sites.ts'
import { emailSubscriptions } from './da/email-subscriptions.ts'
import { equipment } from './da/equipment.ts'
import { evCharging } from './da/ev-charging.ts'
import { loadBacktests } from './da/load-backtests.ts'
import { loadShifting } from './da/load-shifting.ts'
import { meterDetails } from './da/meter-details.ts'
import { payments } from './da/payments.ts'
import { privacy } from './da/privacy.ts'
import { reconciliation } from './da/reconciliation.ts'
import { revenueCalculator } from './da/revenue-calculator.ts'
import { scope2 } from './da/scope-2.ts'
import { statements } from './da/statements.ts'
import { supportNotes } from './da/support-notes.ts'
import { system } from './da/system.ts'
import { versions } from './da/versions.ts'
import { webhooks } from './da/webhooks.ts'

/** Danish of all other pages, read with the first of them, or when home is on the screen. */
export const daRest = {
  ...account,
  ...apiKeys,
  ...audit,
  ...chargeFleet,
  ...chargingSites,
  ...emailSubscriptions,
  ...equipment,
  ...evCharging,
  ...loadBacktests,
  ...loadShifting,
  ...meterDetails,
  ...payments,
  ...privacy,
  ...reconciliation,
  ...revenueCalculator,
  ...scope2,
  ...statements,
  ...supportNotes,
  ...system,
  ...versions,
  ...webhooks,
}
