import { findChargers } from './fleet.ts'
import { overviews } from './overview.ts'
import { remote } from './remote.ts'
import { sessions } from './sessions.ts'
import { tagGroups } from './tag-groups.ts'
import { tags } from './tags.ts'

export const evCharging = [...tags, ...tagGroups, findChargers, ...overviews, ...sessions, ...remote]
