import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** The edge gateway whose instances and messages are shown. */
export const edgesSearch = z.object({ edge: param(z.uuid()) })
