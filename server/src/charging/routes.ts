import { findChargers } from './chargers/fleet.ts'
import { registration } from './chargers/registration.ts'
import { remote } from './chargers/remote.ts'
import { services } from './chargers/service.ts'
import { costs } from './costs/costs.ts'
import { prices } from './costs/prices.ts'
import { statement } from './costs/statement.ts'
import { dashboard } from './fleet/dashboard.ts'
import { importTags } from './fleet/tag-import.ts'
import { overviews } from './ledger/overview.ts'
import { sessions } from './ledger/sessions.ts'
import { payments } from './payments/routes.ts'
import { siteChart } from './sites/site-power.ts'
import { sites } from './sites/sites.ts'
import { tagGroups } from './tags/tag-groups.ts'
import { tags } from './tags/tags.ts'

export const charging = [
  ...tags,
  ...tagGroups,
  importTags,
  findChargers,
  ...overviews,
  ...sessions,
  ...remote,
  ...registration,
  ...services,
  ...sites,
  siteChart,
  dashboard,
  ...prices,
  ...costs,
  statement,
  ...payments,
]
