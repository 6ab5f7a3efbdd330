import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a file, or the entries of a folder, from the cache to disk (fsync). */
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
