import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { z } from 'zod'
import { flush } from '#platform/process/data-folder.ts'
import { folderBytes, isNoRoom, type StoreBytes } from './room.ts'

/**
 * A folder as tar and gzip, which any tool unpacks; the last entry lists all others with size and hash, so that a truncated archive is detected. The
 * first one has the sizes of the stores as a PAX header, which other tools ignore.
 */

const contents = z.object({
  format: z.literal('gridmast-backup-1'),
  about: z.unknown(),
  files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
})
const contentsName = 'contents.json'

const sizesOf = z.object({ 'GRIDMAST.records': z.coerce.number(), 'GRIDMAST.readings': z.coerce.number() })

const sizesIn = async (folder: string) => ({
  'GRIDMAST.records': String(await folderBytes(join(folder, 'records'))),
  'GRIDMAST.readings': String(await folderBytes(join(folder, 'readings'))),
})

const hashing = (hash: Hash) =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })

export const packFolder = (folder: string, about: unknown): Readable => {
  const packing = pack()
  const files: z.infer<typeof contents>['files'] = {}
  const fill = async () => {
    const sizes = await sizesIn(folder)
    for (const [i, { name, isFolder }] of (await entriesUnder(folder)).entries()) {
      const pax = i === 0 ? { pax: sizes } : {}
      if (isFolder) {
        packing.entry({ name, type: 'directory', mode: 0o700, ...pax })
        continue
      }
      const { size } = await stat(join(folder, name))
      const hash = createHash('sha256')
      await pipeline(
        createReadStream(join(folder, name)),
        hashing(hash),
        packing.entry({ name, size, mode: 0o600, ...pax }),
      )
      files[name] = { size, sha256: hash.digest('hex') }
    }
    packing.entry({ name: contentsName, mode: 0o600 }, JSON.stringify({ format: 'gridmast-backup-1', about, files }))
    packing.finalize()
  }
  const packed = createGzip({ level: 1 })
  const fail = (error: unknown) => void packed.destroy(error instanceof Error ? error : new Error(String(error)))
  fill().catch((error: unknown) => packing.destroy(error instanceof Error ? error : new Error(String(error))))
  pipeline(packing, packed).catch(fail)
  return packed
}

/** Written under another name and renamed, so that a partial file never has the final name, also when two processes write to it. */
export const keepArchive = async (parts: AsyncIterable<Buffer>, file: string): Promise<{ bytes: number }> => {
  const partial = `${file}.${process.pid}.partial`
  try {
    await pipeline(parts, createWriteStream(partial, { mode: 0o600 }))
    await flush(partial)
    if (existsSync(file)) throw new Error(`${file} exists already`)
    await rename(partial, file)
    await flush(dirname(file))
    return { bytes: (await stat(file)).size }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Writes the parts that a server answers into a new file; answers its size and what the server answered last. `what` names the file when the server
 * ends before it is complete.
 */
export const keepParts = async <Last extends object>(
  answers: AsyncIterable<{ part: string } | Last>,
  file: string,
  what: string,
): Promise<{ bytes: number; last: Last }> => {
  if (existsSync(file)) throw new Error(`${file} exists already`)
  await access(dirname(file), constants.W_OK).catch(() => {
    throw new Error(`${dirname(file)} cannot be written`)
  })
  const incomplete = new Error(`The server ended before the ${what} was complete`)
  let last: Last | undefined
  const parts = async function* () {
    for await (const answer of answers)
      if ('part' in answer) yield Buffer.from(answer.part, 'base64')
      else last = answer
    if (!last) throw incomplete
  }
  const { bytes } = await keepArchive(parts(), file)
  if (!last) throw incomplete
  return { bytes, last }
}

/** A backup by its title in messages; `open` decrypts where it must. */
export type BackupSource = { title: string; open: () => Promise<Readable> }

export const fileSource = (file: string): BackupSource => ({
  title: file,
  open: async () => {
    const opened = await open(file).catch((error: unknown) => {
      throw new Error(`${file} cannot be opened: it does not exist, or this user may not read it`, { cause: error })
    })
    return opened.createReadStream()
  },
})

/** Errors of age for a chunk that was changed, or that is the last one without its mark. */
const isChanged = (error: unknown) => error instanceof Error && error.message === 'invalid tag'

/**
 * Unpacks into a new folder and returns the archive's `about`; throws for a foreign, truncated or changed archive. `onSizes` is called before anything
 * is written, unless the archive is of a version that did not state its sizes.
 */
export const readArchive = async (
  { title, open: openSource }: BackupSource,
  folder: string,
  onSizes: (sizes: StoreBytes) => Promise<void> = async () => {},
): Promise<unknown> => {
  const found = new Map<string, { size: number; sha256: string }>()
  let last: z.infer<typeof contents> | undefined
  const unpacking = extract()
  const unpack = async () => {
    for await (const entry of unpacking) {
      const { name, size } = entry.header
      const sizes = sizesOf.safeParse(entry.header.pax)
      if (sizes.success)
        await onSizes({
          recordsBytes: sizes.data['GRIDMAST.records'],
          readingsBytes: sizes.data['GRIDMAST.readings'],
        })
      if (name === contentsName) {
        const chunks: Buffer[] = []
        for await (const chunk of entry) chunks.push(chunk as Buffer) // tar-stream emits bytes
        last = contents.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
        continue
      }
      if (last || name.startsWith('/') || name.split('/').includes('..')) throw new Error(`${name} has no place in it`)
      const target = join(folder, name)
      if (entry.header.type === 'directory') {
        await mkdir(target, { recursive: true, mode: 0o700 })
        entry.resume()
        continue
      }
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const hash = createHash('sha256')
      await pipeline(entry, hashing(hash), createWriteStream(target, { mode: 0o600, flags: 'wx' }))
      found.set(name, { size, sha256: hash.digest('hex') })
    }
  }
  const bytes = await openSource()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await Promise.all([pipeline(bytes, createGunzip(), unpacking), unpack()])
    if (!last) throw new Error('its end is missing')
    const listed = Object.entries(last.files)
    const damaged = listed.find(
      ([name, { size, sha256 }]) => found.get(name)?.size !== size || found.get(name)?.sha256 !== sha256,
    )
    if (damaged || listed.length !== found.size)
      throw new Error(`${damaged?.[0] ?? 'its list'} is not what was written`)
    return last.about
  } catch (error) {
    if (isNoRoom(error)) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw new Error(`${title} is not unpacked: the disk of ${folder} is full`, { cause: error })
    const message = error instanceof Error ? error.message : String(error)
    const why = isChanged(error) ? 'it is truncated or was changed after its encryption' : message
    throw new Error(`${title} is no whole backup of Gridmast: ${why}`, { cause: error })
  }
}

/** Includes empty folders, which PostgreSQL requires. */
const entriesUnder = async (folder: string): Promise<{ name: string; isFolder: boolean }[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({
      name: join(entry.parentPath, entry.name).slice(folder.length + 1),
      isFolder: entry.isDirectory(),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
