import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDate } from '@gridmast/contract/time.ts'
import { parse } from 'yaml'
import { z } from 'zod'

const lines = z.array(z.string().max(200)).min(3).max(6)

const releaseNotes = z.array(z.strictObject({ version: z.string(), released: localDate, en: lines, da: lines }))

const listOf = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n')

export const ownReleases = releaseNotes
  .parse(parse(readFileSync(join(import.meta.dirname, '../../../../releases.yaml'), 'utf8')))
  .map(({ version, released, en, da }) => ({
    title: `Version ${version}`,
    released,
    description: listOf(en),
    descriptionDa: listOf(da),
  }))
