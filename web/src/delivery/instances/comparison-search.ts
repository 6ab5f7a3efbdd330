import { searchParams, oneOf, id, day, either } from '#lib/search-params.ts'

/** The same times of the previous day or week, of a chosen day or of another instance; or the accepted load plans. */
export const comparisonSearch = searchParams({ compare: either(oneOf('day', 'week', 'plan'), either(day, id)) })
