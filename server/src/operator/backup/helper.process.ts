// Work on backups in a process of its own (helper.ts): one request, one answer.
import { constants, setPriority } from 'node:os'
import type { z } from 'zod'
import { listBackups } from './catalogue.ts'
import { drillBackup } from './drill.ts'
import { helperRequest } from './helper.ts'
import { sendBackup } from './send.ts'
import { openStorage } from './storage.ts'

const run = async (request: z.infer<typeof helperRequest>): Promise<unknown> => {
  const { settings } = request
  const storage = await openStorage(settings.BACKUP_URL, settings)
  if (request.work === 'list') return listBackups(storage)
  if (request.work === 'drill') return drillBackup(storage, { settings, folder: request.folder })
  const { folder, about } = request
  const { BACKUP_KEY: key, BACKUP_KEEP_DAYS: days, BACKUP_KEEP_WEEKS: weeks, BACKUP_KEEP_MONTHS: months } = settings
  return sendBackup(storage, { folder, about, key, retention: { days, weeks, months } })
}

process.umask(0o077)
setPriority(constants.priority.PRIORITY_LOW)
process.once('disconnect', () => process.exit(1)) // the server has ended
process.once('message', (message) => {
  void run(helperRequest.parse(message))
    .then(
      (done) => ({ done }),
      (error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }),
    )
    .then((answer) => process.send?.(answer, () => process.exit(0)))
})
