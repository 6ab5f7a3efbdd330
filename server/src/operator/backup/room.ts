import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { leastFree } from '#readings/disk-guard.ts'

export type StoreBytes = { recordsBytes: number; readingsBytes: number }

export const folderBytes = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []))
    // A file may end while a store merges.
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  return bytes
}

const noRoom = Symbol('no room')

/** An error of `needRoom`: nothing was written. */
export const isNoRoom = (error: unknown): boolean => error instanceof Error && error.cause === noRoom

const inGb = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`

/** An opened copy of the records writes up to 80 MB of log. */
const logBytes = 100e6

/** What a restore writes: the readings exist twice, as their backup and as a store. */
export const restoredBytes = ({ recordsBytes, readingsBytes }: StoreBytes): number =>
  recordsBytes + 2 * readingsBytes + logBytes

/** Telemetry is refused below `minFreeBytes`, so a backup or a restore drill stays above it. */
export const needRoom = async (
  what: string,
  { folder, bytes, minFreeBytes }: { folder: string; bytes: number; minFreeBytes: number | undefined },
): Promise<void> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = Math.max(0, bavail * bsize - (minFreeBytes ?? leastFree(blocks * bsize)))
  if (free < bytes)
    throw new Error(`${what} needs ${inGb(bytes)} in ${folder}, and ${inGb(free)} are free above MIN_FREE_BYTES`, {
      cause: noRoom,
    })
}
