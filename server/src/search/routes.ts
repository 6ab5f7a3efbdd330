import { can } from '@gridmast/contract/roles.ts'
import * as contract from '@gridmast/contract/search.ts'
import { ownRoute } from '#context.ts'
import { kinds } from './kinds.ts'
import { termsOf } from './terms.ts'

export const search = ownRoute(contract.search, async (tx, customerId, { viewer, query }) => {
  const terms = termsOf(query.q)
  const found: contract.FoundRow[] = []
  for (const { may, unless, find } of kinds)
    if (can(viewer, may) && !(unless && can(viewer, unless))) found.push(...(await find(tx, customerId, terms)))
  return { found }
})
