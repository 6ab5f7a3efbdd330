import { limits } from '@gridmast/contract/limits.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { listSearch, param, pageSearch } from '#lib/url-state.ts'
import { z } from 'zod'

/** Address of the EV charging app (specification text 2, section 2); invalid values are dropped. */
export const evSearch = z.object({
  /** Absent: the company's licence. */
  licenseTypeId: param(z.string()),
  tab: param(z.enum(['details', 'tag', 'transactions', 'chargers'])),
  /** Of the tags; absent: tag. */
  subTab: param(z.enum(['tag', 'group'])),
  date: param(localDate),
  chargerId: param(z.uuid()),
  connectorId: param(z.coerce.number().int().min(1).max(limits.connectorsPerCharger)),
  groupId: param(z.uuid()),
  tagId: param(z.uuid()),
  startDate: param(localDate),
  endDate: param(localDate),
  /** The session whose details are open. */
  session: param(z.uuid()),
  createTagModal: param(z.boolean()),
  /** The form for a remote start of the charger and connector is open. */
  remote: param(z.boolean()),
  /** Rows of a page of tags or transactions. */
  limit: param(z.coerce.number().int().min(1).max(100)),
  /** Text of tags or transactions. */
  search: param(z.string().max(100)),
  ...listSearch.shape,
  ...pageSearch.shape,
})
export const tagFilters = evSearch.pick({ groupId: true, search: true })
export const sessionFilters = evSearch.pick({
  chargerId: true,
  connectorId: true,
  groupId: true,
  tagId: true,
  startDate: true,
  endDate: true,
  search: true,
})
export type EvSearch = z.infer<typeof evSearch>
