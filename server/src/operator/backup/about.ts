import { z } from 'zod'
import { stock } from './stock.ts'

/** What a backup states about itself, in its last entry. */
export const about = stock.extend({
  version: z.string(),
  madeAt: z.string(),
  /** Raw rows of samples; a sample that was sent twice may be two rows until they are merged. */
  sampleRows: z.number(),
  /** True if the archive contains `secret.key`: backups in BACKUP_URL, and files of an older version. */
  hasSecretKey: z.boolean(),
  /** Hash of the key in the separate key file; null: SECRET_KEY is a setting and must be kept elsewhere. */
  keySha256: z.string().nullish(),
})
export type About = z.infer<typeof about>
