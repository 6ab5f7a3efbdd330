import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { listSearch, param } from '#lib/url-state.ts'

/** The triggered alert of a notification. */
export const notificationSearch = z.object({ trigger: param(z.uuid()) })

/** `createAlertModal` opens the form; `limit`: rows of a page. */
export const alertSearch = {
  date: param(localDate),
  limit: param(z.int().min(1).max(100)),
  createAlertModal: param(z.boolean()),
  ...listSearch.shape,
}
const all = z.object(alertSearch)
export const triggeredFilters = all.pick({ date: true })
export type AlertSearch = z.infer<typeof all>
