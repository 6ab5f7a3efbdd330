import { readFileSync } from 'node:fs'
import { z } from 'zod'

const fault = z.union([
  z.literal('obey'),
  z.literal('silent'),
  z.strictObject({ delayS: z.number().min(0).max(3600) }),
  z.strictObject({ refuse: z.string().min(1).max(200) }),
])
export type Fault = z.infer<typeof fault>
const file = z.record(z.string(), fault)

/** Read again for each command, so that a fault begins and ends without a restart; a missing or invalid file means no faults. */
export const faultOf = (path: string | undefined, edge: string, log: (text: string) => void): Fault => {
  if (!path) return 'obey'
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return 'obey'
  }
  try {
    return file.parse(JSON.parse(text))[edge] ?? 'obey'
  } catch (error) {
    log(`${path} is not understood: ${error instanceof Error ? error.message : String(error)}`)
    return 'obey'
  }
}
