import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Fault, meetFault, type Operation, readFault } from './faults.ts'
import { refusalOf } from './signature.ts'

/** The part of the S3 API that backups use, with objects as files: `<folder>/<bucket>/<key, encoded>`. Buckets are folders that exist. */

export type Options = { folder: string; accessKey: string; secretKey: string }

class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

type Request = { request: IncomingMessage; url: URL; bucket: string; key: string; fault: Fault | null }
type Reply = { status?: number; headers?: Record<string, string>; xml?: string; file?: string }

/** A part is at least 5 MiB unless it is the last: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const minPartBytes = 5 * 2 ** 20
const pageSize = 1000

const uploadsName = '.uploads'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const tag = (name: string, content: string | number) => `<${name}>${content}</${name}>`
const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'

const operationOf = (method: string, key: string, query: URLSearchParams): Operation | null => {
  if (!key) return method !== 'GET' ? null : query.has('uploads') ? 'ListUploads' : 'ListObjects'
  if (method === 'GET') return 'GetObject'
  if (method === 'HEAD') return 'HeadObject'
  if (method === 'PUT') return query.has('partNumber') ? 'UploadPart' : 'PutObject'
  if (method === 'POST') return query.has('uploads') ? 'CreateUpload' : query.has('uploadId') ? 'CompleteUpload' : null
  if (method === 'DELETE') return query.has('uploadId') ? 'AbortUpload' : 'DeleteObject'
  return null
}

/** Writes the body next to its place and renames it; a body that ends early or differs from the signed hash leaves no file. */
const receive = async (request: IncomingMessage, file: string): Promise<string> => {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  const partial = `${file}.${randomUUID()}`
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      sha256.update(chunk)
      md5.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(request, hashing, createWriteStream(partial))
    const signed = request.headers['x-amz-content-sha256']
    if (signed !== 'UNSIGNED-PAYLOAD' && signed !== sha256.digest('hex'))
      throw new Refused(400, 'XAmzContentSHA256Mismatch')
    await rename(partial, file)
    return md5.digest('hex')
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

export const openS3 = ({ folder, accessKey, secretKey }: Options): Server => {
  const faults: Fault[] = []

  const fileOf = ({ bucket, key }: Pick<Request, 'bucket' | 'key'>) => join(folder, bucket, encodeURIComponent(key))
  const uploadOf = ({ bucket, url }: Request) => {
    const upload = join(folder, bucket, uploadsName, url.searchParams.get('uploadId') ?? '-')
    if (!existsSync(upload)) throw new Refused(404, 'NoSuchUpload')
    return upload
  }
  const stored = async (request: Request) => {
    const found = await stat(fileOf(request)).catch(() => null)
    if (!found) throw new Refused(404, 'NoSuchKey')
    return found
  }

  const list = async ({ bucket, url }: Request): Promise<Reply> => {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const most = Math.min(Number(url.searchParams.get('max-keys') ?? pageSize), pageSize)
    const keys = (await readdir(join(folder, bucket), { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => decodeURIComponent(name))
      .filter((key) => key.startsWith(prefix) && key > after)
      .toSorted()
    const page = keys.slice(0, most)
    const contents = await Promise.all(
      page.map(async (key) => {
        const { size, mtime } = await stat(fileOf({ bucket, key }))
        return tag('Contents', tag('Key', escaped(key)) + tag('LastModified', mtime.toISOString()) + tag('Size', size))
      }),
    )
    const isCut = page.length < keys.length
    const next = isCut ? tag('NextContinuationToken', escaped(page.at(-1) ?? '')) : ''
    return {
      xml: `<ListBucketResult ${namespace}>${tag('KeyCount', page.length)}${tag('IsTruncated', String(isCut))}${next}${contents.join('')}</ListBucketResult>`,
    }
  }

  const listUploads = async ({ bucket, url }: Request): Promise<Reply> => {
    const prefix = url.searchParams.get('prefix') ?? ''
    const entries = await readdir(join(folder, bucket, uploadsName), { withFileTypes: true }).catch(() => [])
    const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const all = await Promise.all(
      ids.map(async (id) => ({ id, key: await readFile(join(folder, bucket, uploadsName, id, 'key'), 'utf8') })),
    )
    const uploads = all
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ id, key }) => tag('Upload', tag('Key', escaped(key)) + tag('UploadId', id)))
    return {
      xml: `<ListMultipartUploadsResult ${namespace}>${tag('IsTruncated', 'false')}${uploads.join('')}</ListMultipartUploadsResult>`,
    }
  }

  const complete = async (request: Request): Promise<Reply> => {
    const upload = uploadOf(request)
    const body: Buffer[] = []
    for await (const chunk of request.request) body.push(chunk as Buffer) // a request emits bytes
    const parts = [
      ...Buffer.concat(body)
        .toString()
        .matchAll(/<PartNumber>(\d+)<\/PartNumber>/g),
    ].map(([, n]) => n)
    if (parts.length === 0) throw new Refused(400, 'MalformedXML')
    const whole = join(upload, 'whole')
    const hash = createHash('md5')
    for (const [i, part] of parts.entries()) {
      const file = join(upload, `part-${part}`)
      const found = await stat(file).catch(() => null)
      if (!found) throw new Refused(400, 'InvalidPart')
      if (i < parts.length - 1 && found.size < minPartBytes) throw new Refused(400, 'EntityTooSmall')
      hash.update(Buffer.from(await readFile(`${file}.md5`, 'utf8'), 'hex'))
      await pipeline(createReadStream(file), createWriteStream(whole, { flags: 'a' }))
    }
    await store(request, whole)
    await rm(upload, { recursive: true })
    const etag = `"${hash.digest('hex')}-${parts.length}"`
    return {
      xml: `<CompleteMultipartUploadResult ${namespace}>${tag('Bucket', request.bucket)}${tag('Key', escaped(request.key))}${tag('ETag', etag)}</CompleteMultipartUploadResult>`,
    }
  }

  const store = async (request: Request, from: string) => {
    if (request.fault?.kind === 'short') await truncate(from, (await stat(from)).size - 1)
    await rename(from, fileOf(request))
  }

  const work: Record<Operation, (request: Request) => Promise<Reply>> = {
    ListObjects: list,
    ListUploads: listUploads,
    HeadObject: async (request) => {
      const { size } = await stored(request)
      return { headers: { 'content-length': String(size) } }
    },
    GetObject: async (request) => {
      await stored(request)
      return { file: fileOf(request) }
    },
    PutObject: async (request) => {
      const file = join(folder, request.bucket, uploadsName, randomUUID())
      await mkdir(join(folder, request.bucket, uploadsName), { recursive: true })
      const md5 = await receive(request.request, file)
      await store(request, file)
      return { headers: { etag: `"${md5}"` } }
    },
    DeleteObject: async (request) => {
      await rm(fileOf(request), { force: true })
      return { status: 204 }
    },
    CreateUpload: async ({ bucket, key }) => {
      const id = randomUUID()
      await mkdir(join(folder, bucket, uploadsName, id), { recursive: true })
      await writeFile(join(folder, bucket, uploadsName, id, 'key'), key)
      return {
        xml: `<InitiateMultipartUploadResult ${namespace}>${tag('Bucket', bucket)}${tag('Key', escaped(key))}${tag('UploadId', id)}</InitiateMultipartUploadResult>`,
      }
    },
    UploadPart: async (request) => {
      const file = join(uploadOf(request), `part-${Number(request.url.searchParams.get('partNumber'))}`)
      const md5 = await receive(request.request, file)
      await writeFile(`${file}.md5`, md5)
      return { headers: { etag: `"${md5}"` } }
    },
    CompleteUpload: complete,
    AbortUpload: async (request) => {
      await rm(uploadOf(request), { recursive: true })
      return { status: 204 }
    },
  }

  const send = async (response: ServerResponse, { status = 200, headers = {}, xml, file }: Reply) => {
    if (file) {
      const source = await open(file)
      response.writeHead(status, { ...headers, 'content-length': (await source.stat()).size })
      return pipeline(source.createReadStream(), response)
    }
    response.writeHead(status, xml ? { ...headers, 'content-type': 'application/xml' } : headers)
    response.end(xml && `<?xml version="1.0" encoding="UTF-8"?>${xml}`)
  }

  const refuse = (response: ServerResponse, { status, code }: { status: number; code: string }) =>
    send(response, { status, xml: tag('Error', tag('Code', code) + tag('Message', code)) })

  const end = () => {
    server.close()
    server.closeAllConnections()
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/_faults') {
      if (request.method === 'DELETE') {
        faults.length = 0
        return send(response, { status: 204 })
      }
      const body: Buffer[] = []
      for await (const chunk of request) body.push(chunk as Buffer) // a request emits bytes
      faults.push(readFault(JSON.parse(Buffer.concat(body).toString())))
      return send(response, { status: 204 })
    }
    const [, bucket = '', rest = ''] = /^\/([^/]+)\/?(.*)$/s.exec(url.pathname) ?? []
    const key = decodeURIComponent(rest)
    const operation = operationOf(request.method ?? '', key, url.searchParams)
    const code = refusalOf(request, url, { accessKey, secretKey })
    if (code) return refuse(response, { status: 403, code })
    if (!operation) return refuse(response, { status: 501, code: 'NotImplemented' })
    if (bucket.includes('..') || !existsSync(join(folder, bucket)))
      return refuse(response, { status: 404, code: 'NoSuchBucket' })
    const fault = meetFault(faults, operation)
    if (fault?.kind === 'die') return end()
    if (fault?.kind === 'cut') return void request.socket.destroy()
    if (fault?.kind === 'slow') await wait(fault.ms)
    if (fault && /^\d+$/.test(fault.kind)) {
      request.resume()
      return refuse(response, {
        status: Number(fault.kind),
        code: fault.kind === '403' ? 'AccessDenied' : fault.kind === '503' ? 'SlowDown' : 'InternalError',
      })
    }
    return send(response, await work[operation]({ request, url, bucket, key, fault }))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent || request.socket.destroyed) return request.socket.destroy()
      const refused = error instanceof Refused ? error : { status: 500, code: 'InternalError' }
      void refuse(response, refused)
    })
  })
  return server
}
