import { searchParams, id } from '#lib/search-params.ts'

/** The edge gateway whose instances and messages are shown. */
export const edgesSearch = searchParams({ edge: id })
