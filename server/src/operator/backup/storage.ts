import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { flush } from '#platform/process/data-folder.ts'

export type StorageSettings = {
  BACKUP_S3_ENDPOINT?: string | undefined
  BACKUP_S3_REGION: string
  BACKUP_S3_ACCESS_KEY?: string | undefined
  BACKUP_S3_SECRET_KEY?: string | undefined
}

export type StoredFile = { name: string; bytes: number }

/** Flat: a name has no folder. An interrupted `write` leaves nothing that `list` has; `tidy` removes what it uploaded so far. */
export type Storage = {
  /** With a slash at its end, so that an address with a name is one of a backup. */
  address: string
  list: () => Promise<StoredFile[]>
  /** `maxBytes` is an upper limit of the size. */
  write: (name: string, content: Readable, maxBytes: number) => Promise<void>
  read: (name: string) => Promise<Readable>
  remove: (name: string) => Promise<void>
  tidy: () => Promise<void>
  close: () => void
}

export type S3Address = { bucket: string; prefix: string }

const withSlash = (text: string) => (text === '' || text.endsWith('/') ? text : `${text}/`)

export const readAddress = (address: string): S3Address | { folder: string } => {
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address)
  if (s3) return { bucket: s3[1] ?? '', prefix: withSlash(s3[2] ?? '') }
  if (address.startsWith('file:///')) return { folder: fileURLToPath(address) }
  throw new Error('expected s3://bucket/prefix or file:///folder')
}

const partialSuffix = '.partial'

const openFolder = (folder: string, address: string): Storage => {
  // Not created: without its mount the folder would fill the disk of the server.
  if (!existsSync(folder)) throw new Error(`The folder ${folder} does not exist; is its disk mounted?`)
  return {
    address,
    list: async () => {
      const entries = await readdir(folder, { withFileTypes: true })
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
      const whole = names.filter((name) => !name.endsWith(partialSuffix))
      return Promise.all(whole.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },
    write: async (name, content) => {
      const [file, partial] = [join(folder, name), join(folder, name + partialSuffix)]
      try {
        await pipeline(content, createWriteStream(partial, { mode: 0o600 }))
        await flush(partial)
        await rename(partial, file)
        await flush(folder)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    read: async (name) => createReadStream(join(folder, name)),
    remove: (name) => rm(join(folder, name), { force: true }),
    tidy: async () => {
      for (const name of await readdir(folder))
        if (name.startsWith('gridmast-') && name.endsWith(partialSuffix)) await rm(join(folder, name), { force: true })
    },
    close: () => {},
  }
}

export const openStorage = async (address: string, settings: StorageSettings): Promise<Storage> => {
  const read = readAddress(address)
  if ('folder' in read) return openFolder(read.folder, withSlash(address))
  const { openS3 } = await import('./s3.ts') // 23 MB of packages that a folder does not need
  return openS3(read, settings)
}

/** An address of one backup: the storage and the name in it. */
export const splitAddress = (address: string): { storage: string; name: string } => {
  const at = address.lastIndexOf('/')
  return { storage: address.slice(0, at + 1), name: address.slice(at + 1) }
}

export const isAddress = (text: string): boolean => /^(s3|file):\/\//.test(text)
