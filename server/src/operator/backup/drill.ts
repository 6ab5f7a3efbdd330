import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { listBackups } from './catalogue.ts'
import { canDecrypt, type Keys } from './encryption.ts'
import { unpackBackup } from './restore.ts'
import { needRoom, restoredBytes } from './room.ts'
import { hashStored } from './send.ts'
import { storedManifest, storedSource } from './source.ts'
import type { Storage } from './storage.ts'

export type Checked =
  | { name: string; madeAt: string; customers: number; entries: number; sampleRows: number }
  | { name: string; madeAt: string; isHashOnly: true }

/**
 * Restores the newest verified backup into a new folder, compares it as `npm run restore` does, and deletes the folder. Without the private key on
 * this machine only the hash of the stored file is compared.
 */
export const drillBackup = async (
  storage: Storage,
  { settings, folder }: { settings: Keys & { MIN_FREE_BYTES?: number | undefined }; folder: string },
): Promise<Checked> => {
  await rm(folder, { recursive: true, force: true })
  const [newest] = (await listBackups(storage)).filter(({ isVerified }) => isVerified)
  if (!newest) throw new Error(`${storage.address} has no verified backup`)
  const { name } = newest
  const manifest = await storedManifest(storage, name)
  const { madeAt } = manifest
  if (!canDecrypt(settings)) {
    const { sha256 } = await hashStored(storage, name)
    if (sha256 !== manifest.sha256) throw new Error(`${storage.address}${name} was changed: its hash differs`)
    return { name, madeAt, isHashOnly: true }
  }
  const bytes = restoredBytes(manifest)
  await needRoom('A restore drill', { folder: dirname(folder), bytes, minFreeBytes: settings.MIN_FREE_BYTES })
  try {
    const { stated } = await unpackBackup(storedSource(storage, name, settings), folder, async () => {})
    const entries = Object.values(stated.trails).reduce((sum, trail) => sum + trail.entries, 0)
    return { name, madeAt, customers: Object.keys(stated.trails).length, entries, sampleRows: stated.sampleRows }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
