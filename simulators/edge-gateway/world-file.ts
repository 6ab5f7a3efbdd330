import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadKinds, loadOf, type Load } from '../loads.ts'
import { gridOf, type Grid } from '../world.ts'

export type Sold = { market: string; product: string; fromS: number; toS: number; kW: number }

/** Mean kW per quarter of an hour from a second on; `soc` is a battery's state of charge in percent at that second. */
export type Scheduled = { fromS: number; kW: readonly number[]; soc: number | null }

export type Group = {
  key: string
  markets: readonly string[]
  grid: Grid
  load: Load
  sold?: readonly Sold[]
  schedule?: Scheduled | undefined
}
export type Edge = { key: string; password: string; groups: Group[]; simulatedVersion?: string }

const file = z.object({
  customers: z.array(
    z.object({
      edges: z
        .array(z.object({ key: z.string(), password: z.string(), simulatedVersion: z.string().optional() }))
        .default([]),
      instances: z
        .array(
          z.object({
            key: z.string(),
            edge: z.string(),
            area: z.string(),
            kind: z.enum(loadKinds),
            markets: z.array(z.string()).min(1),
            flexibleKw: z.number(),
            enabled: z.boolean().default(true),
          }),
        )
        .default([]),
    }),
  ),
})

export const readWorld = (path: string, skip: readonly string[]): Edge[] =>
  file.parse(parse(readFileSync(path, 'utf8'))).customers.flatMap(({ edges, instances }) =>
    edges
      .filter(({ key }) => !skip.includes(key))
      .map(({ key, password, simulatedVersion }) => ({
        key,
        password,
        ...(simulatedVersion ? { simulatedVersion } : {}),
        groups: instances
          .filter((one) => one.edge === key && one.enabled)
          .map((one) => ({
            key: one.key,
            markets: one.markets,
            grid: gridOf(one.area),
            load: loadOf(one.key, one.kind, one.flexibleKw),
          })),
      }))
      .filter(({ groups }) => groups.length > 0),
  )
