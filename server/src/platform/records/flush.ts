import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A file, or the names in a folder, on disk and not in a cache that a power cut empties (fsync). */
export const flush = async (path: string): Promise<void> => {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export const flushTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await flushTree(path)
    else if (entry.isFile()) await flush(path)
  }
  await flush(folder)
}
