import { type BackupSource, fileSource } from './archive.ts'
import { type Manifest, readManifest } from './catalogue.ts'
import { decrypt, type Keys } from './encryption.ts'
import { isAddress, openStorage, splitAddress, type Storage, type StorageSettings } from './storage.ts'

/** An encrypted backup in a storage, decrypted while it is read. */
export const storedSource = (storage: Storage, name: string, keys: Keys): BackupSource => {
  const title = storage.address + name
  return { title, open: async () => decrypt(await storage.read(name), title, keys) }
}

export const storedManifest = async (storage: Storage, name: string): Promise<Manifest> => {
  const file = (await storage.list()).find((one) => one.name === name)
  if (!file) throw new Error(`${storage.address}${name} does not exist`)
  const stated = await readManifest(storage, name).catch((error: unknown) => {
    throw new Error(`${storage.address}${name} was never verified: its manifest is missing`, { cause: error })
  })
  if (file.bytes !== stated.bytes)
    throw new Error(`${storage.address}${name} has ${file.bytes} of ${stated.bytes} bytes: it is truncated`)
  return stated
}

/** A backup by its file or its address (`s3://bucket/prefix/name`, `file:///folder/name`). */
export const openSource = async (at: string, settings: StorageSettings & Keys): Promise<BackupSource> => {
  if (!isAddress(at)) {
    const source = fileSource(at)
    return at.endsWith('.age') ? { ...source, open: async () => decrypt(await source.open(), at, settings) } : source
  }
  const { storage: address, name } = splitAddress(at)
  const storage = await openStorage(address, settings)
  const files = await storage.list()
  if (!files.some((file) => file.name === `${name}.json`)) return storedSource(storage, name, settings)
  await storedManifest(storage, name)
  return storedSource(storage, name, settings)
}
