import { limits } from '@gridmast/contract/limits.ts'
import { listSearch } from '#lib/url-state.ts'
import { searchParams, oneOf, text, integer, id, day } from '#lib/search-params.ts'

/** Filter and page of the audit trail; what is not in the address is the last 30 days, everyone, changes only, page 1. */
export const auditSearch = searchParams({
  ...listSearch.shape,
  start: day,
  end: day,
  who: text(100),
  action: text(60),
  show: oneOf('changes', 'all'),
  page: integer(1, 300_000),
})

/** The webhook whose deliveries are open, and their page; the first page is left out. */
export const webhooksSearch = searchParams({
  webhook: id,
  page: integer(1, 300_000),
})

/** The path and query of the export for which a new report is open, and the names of the cards of its screen that it does not include. */
export const reportsSearch = searchParams({
  add: text(2000),
  without: text(limits.reportWithoutMax),
})

/** Tab, kind of event, filter and page; what is usual is left out. */
export const subscriptionsSearch = searchParams({
  ...listSearch.shape,
  tab: oneOf('add'),
  eventType: oneOf('frr_based'),
  filter: text(100),
  page: integer(1, 1000),
})
