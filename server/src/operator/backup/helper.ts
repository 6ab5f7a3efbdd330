import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { about } from './about.ts'
import type { Checked } from './drill.ts'
import type { StoredBackup } from './catalogue.ts'
import type { Sent } from './send.ts'

/** Settings of BACKUP_…, as far as the process of `helper.process.ts` needs them. */
export const backupSettings = z.object({
  BACKUP_URL: z.string(),
  BACKUP_S3_ENDPOINT: z.string().optional(),
  BACKUP_S3_REGION: z.string(),
  BACKUP_S3_ACCESS_KEY: z.string().optional(),
  BACKUP_S3_SECRET_KEY: z.string().optional(),
  BACKUP_KEY: z.string(),
  BACKUP_IDENTITY: z.string().optional(),
  BACKUP_KEEP_DAYS: z.number(),
  BACKUP_KEEP_WEEKS: z.number(),
  BACKUP_KEEP_MONTHS: z.number(),
  MIN_FREE_BYTES: z.number().optional(),
})

const settings = backupSettings
export const helperRequest = z.discriminatedUnion('work', [
  z.object({ work: z.literal('send'), settings, folder: z.string(), about }),
  z.object({ work: z.literal('list'), settings }),
  z.object({ work: z.literal('drill'), settings, folder: z.string() }),
])
type Request = z.infer<typeof helperRequest>
type Answers = { send: Sent; list: StoredBackup[]; drill: Checked }

const answer = z.union([z.object({ done: z.unknown() }), z.object({ failed: z.string() })])

/**
 * A process of low priority for work on backups: encryption and hashes take 30 s of a processor per gigabyte, a drill opens both stores, and the
 * client of S3 is 23 MB of packages. It ends with this process.
 */
export const runHelper = async <Work extends keyof Answers>(
  work: Work,
  request: Omit<Extract<Request, { work: Work }>, 'work'>,
): Promise<Answers[Work]> => {
  const child = fork(join(import.meta.dirname, 'helper.process.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let received: z.infer<typeof answer> | undefined
  child.on('message', (message) => (received = answer.parse(message)))
  child.send({ work, ...request })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null] // as documented for child processes
  if (!received) throw new Error(`The process of the backup ended with ${signal ?? `code ${code}`}`)
  if ('failed' in received) throw new Error(received.failed)
  return received.done as Answers[Work] // helper.process.ts answers this type
}
