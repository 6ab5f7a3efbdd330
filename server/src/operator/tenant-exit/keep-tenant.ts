import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import type { OutputLine } from '#operator/output-line.ts'
import { isFull } from '#platform/http/errors.ts'
import { flush } from '#platform/process/data-folder.ts'
import type { TenantAnswer } from './export-tenant.ts'
import type { ErasureAnswer, eraseTenantRequest } from './erase-tenant.ts'

const indexName = 'index.json'
const certificateName = 'certificate.json'

const index = z.object({
  customer: z.string(),
  name: z.string(),
  exportedAt: z.string(),
  /** Rows of each table, and samples of all series. */
  tables: z.record(z.string(), z.number()),
  samples: z.number(),
  files: z.record(z.string(), z.object({ bytes: z.number(), rows: z.number(), sha256: z.string() })),
})
type Index = z.infer<typeof index>

/** Opens a file for writing; `end` answers its size and hash. */
const openFile = async (path: string) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const source = new PassThrough()
  const count = new PassThrough()
  count.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  const out = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const written = path.endsWith('.gz')
    ? pipeline(source, createGzip({ level: 6 }), count, out)
    : pipeline(source, count, out)
  written.catch(() => {}) // `write` and `end` report it
  return {
    write: async (chunk: Buffer | string) => {
      if (!source.write(chunk)) await Promise.race([once(source, 'drain'), written])
    },
    end: async () => {
      source.end()
      await written
      await flush(path)
      return { bytes, sha256: hash.digest('hex') }
    },
  }
}

/** Removes the folders of an export that failed before its first file: `first` is the outermost one that it created. */
const removeEmptyFolders = async (folder: string, first: string) => {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) await rmdir(at)
  } catch {
    // a file is in it
  }
}

/** Writes an export to an empty folder; its index is written last, so that a folder without one is incomplete. */
export const keepTenant = async (answers: AsyncIterable<TenantAnswer>, folder: string): Promise<Index> => {
  const kept: Omit<Index, 'customer' | 'name' | 'exportedAt'> = { tables: {}, samples: 0, files: {} }
  let file: Awaited<ReturnType<typeof openFile>> | undefined
  let current: { name: string; table: string | undefined; isSamples: boolean } | undefined
  let done: { customer: string; name: string; exportedAt: string } | undefined
  try {
    for await (const answer of answers) {
      if ('file' in answer) {
        if (answer.file.split('/').includes('..')) throw new Error(`${answer.file} is not a name of an export`)
        current = {
          name: answer.file,
          table: answer.table,
          isSamples: answer.file.startsWith('samples/') && answer.series !== undefined,
        }
        file = await openFile(join(folder, answer.file))
      } else if ('text' in answer) await file?.write(answer.text)
      else if ('base64' in answer) await file?.write(Buffer.from(answer.base64, 'base64'))
      else if ('rows' in answer) {
        if (!file || !current) continue
        kept.files[current.name] = { ...(await file.end()), rows: answer.rows }
        if (current.table !== undefined) kept.tables[current.table] = answer.rows
        if (current.isSamples) kept.samples += answer.rows
      } else done = answer.done
    }
    if (!done) throw new Error('The server ended before the export was complete')
    const complete = { ...done, ...kept }
    await writeFile(join(folder, indexName), `${JSON.stringify(complete, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await flush(join(folder, indexName))
    await flush(folder)
    return complete
  } catch (error) {
    if (isFull(error))
      throw new Error(
        `The disk of ${folder} is full. The export is incomplete and nothing was erased: empty the folder and run the command again`,
        {
          cause: error,
        },
      )
    throw error
  }
}

const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

const hashFile = async (path: string): Promise<string | null> => {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer) // a stream of bytes
    return hash.digest('hex')
  } catch {
    return null
  }
}

/** The certificate names the files, so each of them is read again before the data is erased. */
const checkFiles = async (folder: string, { files }: Index): Promise<void> => {
  for (const [name, { sha256 }] of Object.entries(files))
    if ((await hashFile(join(folder, name))) !== sha256)
      throw new Error(`${join(folder, name)} is not what was exported: nothing was erased`)
}

const certificateText = (certificate: string): string => {
  const read = z
    .object({
      customer: z.string(),
      startedAt: z.string(),
      finishedAt: z.string(),
      by: z.string(),
      index: z.object({ sha256: z.string() }),
      rows: z.record(z.string(), z.number()),
      samples: z.number(),
      series: z.number(),
    })
    .parse(JSON.parse(certificate))
  const rows = Object.entries(read.rows).map(([table, count]) => `  ${table}: ${count}`)
  return `Certificate of erasure

All data of the customer ${read.customer} was exported and then erased from both stores.
Erased from ${read.startedAt} to ${read.finishedAt} by ${read.by}. After it both stores were counted: no row was left.

SHA-256 of the index of the exported files: ${read.index.sha256}
SHA-256 of certificate.json: ${sha256Of(certificate)}
${read.samples} samples of ${read.series} series. Rows of each table:
${rows.join('\n')}

Backups made earlier still contain the data until they are deleted.
`
}

type EraseRequest = z.infer<typeof eraseTenantRequest>

/** Export of a customer into a folder, and with `erase` the erasure with its certificate. */
export const runTenantExit = async function* (
  { customer, folder, by }: { customer: string; folder: string; by: string },
  exported: () => AsyncIterable<TenantAnswer>,
  erase: ((request: EraseRequest) => AsyncIterable<ErasureAnswer>) | null,
): AsyncGenerator<OutputLine> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  let kept: Index | undefined
  if (erase && names.includes(indexName)) {
    kept = index.parse(JSON.parse(await readFile(join(folder, indexName), 'utf8')))
    if (kept.customer !== customer) throw new Error(`${folder} is an export of ${kept.customer}`)
    if (names.includes(certificateName)) throw new Error(`${folder} has a certificate already`)
    yield { text: `${folder} has an export of ${kept.exportedAt}, which the erasure uses` }
  } else if (names.length > 0) throw new Error(`${folder} is not empty`)
  kept ??= await keepTenant(exported(), folder).catch(async (error: unknown) => {
    if (created !== undefined) await removeEmptyFolders(folder, created)
    throw error
  })
  const rows = Object.values(kept.tables).reduce((sum, count) => sum + count, 0)
  yield {
    text: `${folder}: ${Object.keys(kept.files).length} files, ${rows} rows of ${Object.keys(kept.tables).length} tables, ${kept.samples} samples`,
  }
  if (!erase) return
  await checkFiles(folder, kept)
  const indexSha256 = sha256Of(await readFile(join(folder, indexName)))
  for await (const answer of erase({ customer, by, indexSha256, tables: kept.tables, samples: kept.samples })) {
    if ('text' in answer) {
      yield { text: answer.text }
      continue
    }
    await writeFile(join(folder, certificateName), answer.certificate, { mode: 0o600 })
    await writeFile(join(folder, 'certificate.txt'), certificateText(answer.certificate), { mode: 0o600 })
    yield { text: `${customer} is erased: ${join(folder, certificateName)}` }
  }
}
