import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { packFolder } from './archive.ts'
import type { About } from './about.ts'
import {
  expiredBackups,
  listBackups,
  type Manifest,
  manifestOf,
  nameOf,
  type Retention,
  type StoredBackup,
} from './catalogue.ts'
import { encrypt } from './encryption.ts'
import { folderBytes } from './room.ts'
import type { Storage } from './storage.ts'

export type Sent = { name: string; bytes: number; removed: string[] }

const measure = () => {
  const hash = createHash('sha256')
  const measured = { bytes: 0 }
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      measured.bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, measured, sha256: () => hash.digest('hex') }
}

/** Reads the whole file again: sizes and hashes in listings differ between S3-compatible storages. */
export const hashStored = async (storage: Storage, name: string): Promise<{ bytes: number; sha256: string }> => {
  const { stream, measured, sha256 } = measure()
  await pipeline(await storage.read(name), stream.resume())
  return { bytes: measured.bytes, sha256: sha256() }
}

/** Packed, encrypted and written as one stream; then listed, read and compared. A copy that differs is removed. */
const store = async (
  storage: Storage,
  name: string,
  { folder, about, key, maxBytes }: { folder: string; about: About; key: string; maxBytes: number },
): Promise<{ bytes: number; sha256: string }> => {
  const { stream, measured, sha256 } = measure()
  const packing = async () => pipeline(await encrypt(packFolder(folder, about), key), stream)
  const writing = storage.write(name, stream, maxBytes)
  let failure: unknown
  const end = (error: unknown) => {
    failure ??= error
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  await Promise.all([writing.catch(end), packing().catch(end)])
  if (failure !== undefined) throw failure
  const sent = { bytes: measured.bytes, sha256: sha256() }
  const listed = (await storage.list()).find((file) => file.name === name)
  const found = listed?.bytes === sent.bytes ? await hashStored(storage, name) : null
  if (found?.sha256 !== sent.sha256) {
    await storage.remove(name)
    const difference = found
      ? 'its content is not what was sent'
      : `it has ${listed?.bytes ?? 0} of ${sent.bytes} bytes`
    throw new Error(`${storage.address}${name} was not stored: ${difference}`)
  }
  return sent
}

/** Deletes older backups only after the new one is verified, each manifest last. */
const prune = async (storage: Storage, retention: Retention): Promise<StoredBackup[]> => {
  const expired = expiredBackups(await listBackups(storage), retention)
  for (const { name, isVerified } of expired) {
    await storage.remove(name)
    if (isVerified) await storage.remove(manifestOf(name))
  }
  return expired
}

export const sendBackup = async (
  storage: Storage,
  { folder, about, key, retention }: { folder: string; about: About; key: string; retention: Retention },
): Promise<Sent> => {
  await storage.tidy()
  const name = nameOf(Date.parse(about.madeAt))
  const [recordsBytes, readingsBytes] = [
    await folderBytes(join(folder, 'records')),
    await folderBytes(join(folder, 'readings')),
  ]
  const sent = await store(storage, name, { folder, about, key, maxBytes: recordsBytes + readingsBytes })
  const { madeAt, version } = about
  const stated: Manifest = {
    format: 'gridmast-stored-backup-1',
    madeAt,
    version,
    ...sent,
    recordsBytes,
    readingsBytes,
    verifiedAt: new Date().toISOString(),
  }
  const text = Buffer.from(`${JSON.stringify(stated)}\n`)
  await storage.write(manifestOf(name), Readable.from([text]), text.length)
  const removed = await prune(storage, retention)
  return { name, bytes: sent.bytes, removed: removed.map((backup) => backup.name) }
}
