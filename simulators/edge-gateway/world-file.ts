import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadKinds, loadOf, type Load } from '../loads.ts'
import { gridOf, type Grid } from '../world.ts'

/** A slot that a market of a group is sold in. Seconds; `toS` is outside. */
export type Sold = { market: string; product: string; fromS: number; toS: number; kW: number }

/** Mean kW of each quarter of an hour from a second on, and of a battery its state of charge in percent then. */
export type Scheduled = { fromS: number; kW: readonly number[]; soc: number | null }

/** A group of devices on a site: an instance of the provisioning file. `sold` and `schedule` are what the server has said last. */
export type Group = {
  key: string
  markets: readonly string[]
  grid: Grid
  load: Load
  sold?: readonly Sold[]
  schedule?: Scheduled | undefined
}
export type Edge = { key: string; password: string; groups: Group[]; simulatedVersion?: string }

// What an edge needs of the provisioning file; the rest is the server's.
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

/** The edges of a provisioning file that have instances, without those to be skipped. */
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
