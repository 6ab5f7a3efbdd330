import { z } from 'zod'
import { call, id } from '#call.ts'
import { numberInUrl } from '#fields.ts'
import { limits } from '#limits.ts'

export const version = z.object({
  _id: id('version'),
  title: z.string(),
  application: z.string(),
  /** Plain text; a line that begins with `- ` is an item of a list, one with `### ` a heading. */
  description: z.string(),
  descriptionDa: z.string().nullable(),
  released: z.string(),
  enable: z.boolean(),
})
export type Version = z.infer<typeof version>

export const findVersions = call({
  method: 'GET',
  path: '/client/version',
  summary: 'List the versions of Gridmast and its related applications, newest first',
  may: 'version.read',
  query: z.strictObject({
    limit: numberInUrl(z.int().min(1).max(100)).default(limits.pageSize),
    skip: numberInUrl(z.int().min(0).max(10_000)).default(0),
  }),
  response: z.object({ versions: z.array(version), totalCount: z.number() }),
})
