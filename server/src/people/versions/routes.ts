import * as contract from '@gridmast/contract/people/versions.ts'
import { route } from '#context.ts'
import { idOf } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { product } from '#platform/process/version.ts'
import { ownReleases } from './releases.ts'

const own: contract.Version[] = ownReleases.map((release) => ({
  _id: idOf('version', product, release.title),
  application: product,
  ...release,
  enable: true,
}))

const findProvisioned = (tx: Tx) =>
  tx
    .selectFrom('application_version')
    .select(['version_id as _id', 'title', 'application', 'description', 'released', 'enable'])
    .where('enable', '=', true)
    .orderBy('application')
    .orderBy('title', 'desc')
    .execute()

// The operator's file has at most 200 versions and the release notes a few dozen, so they are sorted in memory.
const find = route(contract.findVersions, async ({ own: inOwn, query: { skip, limit } }) => {
  const all = [...own, ...(await inOwn(findProvisioned)).map((one) => ({ ...one, descriptionDa: null }))].toSorted(
    (a, b) => (a.released < b.released ? 1 : a.released > b.released ? -1 : 0),
  )
  return { versions: all.slice(skip, skip + limit), totalCount: all.length }
})

export const versions = [find]
