import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** The same times of the day or week before, or of another instance. */
export const comparisonSearch = z.object({ compare: param(z.union([z.enum(['day', 'week']), z.uuid()])) })
