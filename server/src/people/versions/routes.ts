import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDate } from '@gridmast/contract/time.ts'
import { parse } from 'yaml'
import { z } from 'zod'
import * as contract from '@gridmast/contract/people/versions.ts'
import { route } from '#context.ts'
import { idOf } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { product } from '#platform/process/version.ts'

const lines = z.array(z.string().max(200)).min(3).max(6)

const releaseNotes = z.array(z.strictObject({ version: z.string(), released: localDate, en: lines, da: lines }))

const listOf = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n')

export const releases = releaseNotes
  .parse(parse(readFileSync(join(import.meta.dirname, '../../../../releases.yaml'), 'utf8')))
  .map(({ version, released, en, da }) => ({
    _id: idOf('version', product, `Version ${version}`),
    application: product,
    title: `Version ${version}`,
    released,
    description: listOf(en),
    descriptionDa: listOf(da),
    enable: true,
  })) satisfies contract.Version[]

const findProvisioned = (tx: Tx) =>
  tx
    .selectFrom('application_version')
    .select(['version_id as _id', 'title', 'application', 'description', 'released', 'enable'])
    .where('enable', '=', true)
    .orderBy('application')
    .orderBy('title', 'desc')
    .execute()

const find = route(contract.findVersions, async ({ own, query: { skip, limit } }) => {
  const provisioned = (await own(findProvisioned)).map((one) => ({ ...one, descriptionDa: null }))
  const all = [...releases, ...provisioned].toSorted((a, b) => b.released.localeCompare(a.released))
  return { versions: all.slice(skip, skip + limit), totalCount: all.length }
})

export const versions = [find]
