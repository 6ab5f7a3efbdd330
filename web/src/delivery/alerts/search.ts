import { z } from 'zod'

/** The triggered alert that a notification leads to. */
export const notificationSearch = z.object({ trigger: z.uuid().optional().catch(undefined) })
