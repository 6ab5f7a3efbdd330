import { alerts } from './da/alerts.ts'
import { bidRequests } from './da/bid-requests.ts'
import { carbon } from './da/carbon.ts'
import { common } from './da/common.ts'
import { contract } from './da/contract.ts'
import { dataHub } from './da/data-hub.ts'
import { economics } from './da/economics.ts'
import { entrance } from './da/entrance.ts'
import { events } from './da/events.ts'
import { home } from './da/home.ts'
import { licences } from './da/licences.ts'
import { market } from './da/market.ts'
import { meters } from './da/meters.ts'
import { prices } from './da/prices.ts'
import { screens } from './da/screens.ts'
import { shell } from './da/shell.ts'

/** Danish of what the first load shows: sign-in, the shell and home. `tools/web-budget.ts` fails when one of their sentences is not here. */
export const daFirst = {
  ...alerts,
  ...bidRequests,
  ...carbon,
  ...common,
  ...contract,
  ...dataHub,
  ...economics,
  ...entrance,
  ...events,
  ...home,
  ...licences,
  ...market,
  ...meters,
  ...prices,
  ...screens,
  ...shell,
}
