import { searchParams, oneOf, id, either } from '#lib/search-params.ts'

/** The same times of the day or week before, or of another instance. */
export const comparisonSearch = searchParams({ compare: either(oneOf('day', 'week'), id) })
