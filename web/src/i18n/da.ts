import { account } from './da/account.ts'
import { alerts } from './da/alerts.ts'
import { apiKeys } from './da/api-keys.ts'
import { audit } from './da/audit.ts'
import { bidRequests } from './da/bid-requests.ts'
import { carbon } from './da/carbon.ts'
import { chargeFleet } from './da/charge-fleet.ts'
import { chargingSites } from './da/charging-sites.ts'
import { common } from './da/common.ts'
import { contract } from './da/contract.ts'
import { dataHub } from './da/data-hub.ts'
import { economics } from './da/economics.ts'
import { emailSubscriptions } from './da/email-subscriptions.ts'
import { entrance } from './da/entrance.ts'
import { equipment } from './da/equipment.ts'
import { evCharging } from './da/ev-charging.ts'
import { events } from './da/events.ts'
import { home } from './da/home.ts'
import { licences } from './da/licences.ts'
import { loadBacktests } from './da/load-backtests.ts'
import { loadShifting } from './da/load-shifting.ts'
import { market } from './da/market.ts'
import { meterDetails } from './da/meter-details.ts'
import { meters } from './da/meters.ts'
import { payments } from './da/payments.ts'
import { prices } from './da/prices.ts'
import { privacy } from './da/privacy.ts'
import { reconciliation } from './da/reconciliation.ts'
import { revenueCalculator } from './da/revenue-calculator.ts'
import { scope2 } from './da/scope-2.ts'
import { screens } from './da/screens.ts'
import { shell } from './da/shell.ts'
import { statements } from './da/statements.ts'
import { supportNotes } from './da/support-notes.ts'
import { system } from './da/system.ts'
import { versions } from './da/versions.ts'
import { webhooks } from './da/webhooks.ts'

/** Danish, by the English sentence. A sentence on screen that is missing here does not compile. */
export const da = {
  ...account,
  ...alerts,
  ...apiKeys,
  ...audit,
  ...bidRequests,
  ...carbon,
  ...chargeFleet,
  ...chargingSites,
  ...common,
  ...contract,
  ...dataHub,
  ...economics,
  ...emailSubscriptions,
  ...entrance,
  ...equipment,
  ...evCharging,
  ...events,
  ...home,
  ...licences,
  ...loadBacktests,
  ...loadShifting,
  ...market,
  ...meterDetails,
  ...meters,
  ...payments,
  ...prices,
  ...privacy,
  ...reconciliation,
  ...revenueCalculator,
  ...scope2,
  ...screens,
  ...shell,
  ...statements,
  ...supportNotes,
  ...system,
  ...versions,
  ...webhooks,
}

/** Every sentence of the portal, in English. */
export type Sentence = keyof typeof da
