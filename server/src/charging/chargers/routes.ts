import { choices } from '#charging/sites/choice.ts'
import { findChargers } from './fleet.ts'
import { overviews } from '#charging/ledger/overview.ts'
import { registration } from './registration.ts'
import { removal } from './removal.ts'
import { remote } from './remote.ts'
import { serviceCommands } from './service-commands.ts'
import { services } from './service.ts'
import { sessionReview } from '#charging/ledger/session-review.ts'
import { sessions } from '#charging/ledger/sessions.ts'
import { siteByHand } from '#charging/sites/site-by-hand.ts'
import { siteChart } from '#charging/sites/site-chart.ts'
import { sites } from '#charging/sites/sites.ts'
import { stopSessions } from '#charging/ledger/stop-sessions.ts'
import { tagGroups } from '#charging/tags/tag-groups.ts'
import { tags } from '#charging/tags/tags.ts'

export const evCharging = [
  ...tags,
  ...tagGroups,
  findChargers,
  ...overviews,
  ...sessions,
  ...sessionReview,
  ...remote,
  ...stopSessions,
  ...choices,
  removal,
  ...registration,
  ...services,
  ...serviceCommands,
  ...sites,
  ...siteByHand,
  siteChart,
]
