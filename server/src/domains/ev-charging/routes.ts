import { choices } from './choice.ts'
import { findChargers } from './fleet.ts'
import { overviews } from './overview.ts'
import { registration } from './registration.ts'
import { removal } from './removal.ts'
import { remote } from './remote.ts'
import { serviceCommands } from './service-commands.ts'
import { services } from './service.ts'
import { sessionReview } from './session-review.ts'
import { sessions } from './sessions.ts'
import { siteByHand } from './site-by-hand.ts'
import { siteChart } from './site-chart.ts'
import { sites } from './sites.ts'
import { stopSessions } from './stop-sessions.ts'
import { tagGroups } from './tag-groups.ts'
import { tags } from './tags.ts'

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
