import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const charger = z.object({
  identity: z.string(),
  type: z.enum(['AC', 'DC']),
  connectors: z.number().default(1),
  maxKw: z.number(),
  password: z.string(),
  simulated: z.boolean().default(false),
  simulatedVersion: z.enum(['ocpp1.6', 'ocpp2.0.1']).default('ocpp1.6'),
  simulatedAs: z.enum(['normal', 'phases', 'faulted', 'offline']).default('normal'),
})
export type ChargerOfFile = z.infer<typeof charger> & { customerKey: string }

const file = z.object({
  customers: z.array(z.object({ key: z.string(), chargers: z.array(z.unknown()).default([]) })),
})

export const readChargers = (path: string): ChargerOfFile[] =>
  file
    .parse(parse(readFileSync(path, 'utf8')))
    .customers.flatMap(({ key, chargers }) =>
      chargers
        .map((one) => charger.safeParse(one))
        .flatMap((read) => (read.success && read.data.simulated ? [{ ...read.data, customerKey: key }] : [])),
    )
