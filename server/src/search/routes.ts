import { can } from '@gridmast/contract/roles.ts'
import * as contract from '@gridmast/contract/search.ts'
import { ownRoute } from '#context.ts'
import { kinds } from './kinds.ts'
import { termsOf } from './terms.ts'

export const search = ownRoute(contract.search, async (tx, customerId, { viewer, query }) => {
  const terms = termsOf(query.q)
  const found: contract.FoundRow[] = []
  for (const { may, find } of kinds)
    if (may.some((name) => can(viewer, name))) found.push(...(await find(tx, customerId, terms)))
  return { found }
})
