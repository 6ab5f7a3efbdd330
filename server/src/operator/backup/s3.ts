import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { S3Address, Storage, StorageSettings, StoredFile } from './storage.ts'

/** S3 allows 10,000 parts; some thousand fewer leave room for a size that was estimated. */
const maxParts = 8000
const minPartBytes = 5 * 2 ** 20
const socketTimeoutMs = 60_000

const codeOf = (error: unknown): string =>
  error instanceof Error ? String('Code' in error ? error.Code : 'code' in error ? error.code : error.name) : ''

/** One sentence with the setting at fault. */
const explained = (error: unknown, { bucket }: S3Address, endpoint: string): Error => {
  const code = codeOf(error)
  const message = error instanceof Error && error.message ? error.message : code
  const reason = ((): string => {
    if (code === 'NoSuchBucket') return `${endpoint} has no bucket ${bucket} (BACKUP_URL)`
    if (code === 'NoSuchKey') return `${endpoint} has no such object in the bucket ${bucket}`
    if (code === 'InvalidAccessKeyId') return `${endpoint} refuses BACKUP_S3_ACCESS_KEY: it is unknown`
    if (code === 'SignatureDoesNotMatch')
      return `${endpoint} refuses the signature: BACKUP_S3_SECRET_KEY or BACKUP_S3_REGION is wrong`
    if (code === 'AccessDenied') return `${endpoint} denies access to the bucket ${bucket}`
    if (/^(E[A-Z]+|TimeoutError)$/.test(code)) return `${endpoint} cannot be reached: ${message}`
    return `${endpoint} failed: ${message}`
  })()
  return new Error(reason, { cause: error })
}

export const openS3 = (
  at: S3Address,
  { BACKUP_S3_ENDPOINT, BACKUP_S3_REGION, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY }: StorageSettings,
): Storage => {
  if (!BACKUP_S3_ACCESS_KEY || !BACKUP_S3_SECRET_KEY)
    throw new Error('BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY are required for s3://')
  const { bucket, prefix } = at
  const endpoint = BACKUP_S3_ENDPOINT ?? `S3 in ${BACKUP_S3_REGION}`
  const client = new S3Client({
    region: BACKUP_S3_REGION,
    credentials: { accessKeyId: BACKUP_S3_ACCESS_KEY, secretAccessKey: BACKUP_S3_SECRET_KEY },
    ...(BACKUP_S3_ENDPOINT ? { endpoint: BACKUP_S3_ENDPOINT, forcePathStyle: true } : {}),
    // Not every S3-compatible storage has the checksums that the client adds by default; a backup is read again and compared.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 10_000,
      socketTimeout: socketTimeoutMs,
      httpAgent: new HttpAgent({ keepAlive: true }),
      httpsAgent: new HttpsAgent({ keepAlive: true }),
    },
  })
  const explain = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explained(error, at, endpoint)
    })

  const list = async (): Promise<StoredFile[]> => {
    const files: StoredFile[] = []
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
      for (const { Key = '', Size = 0 } of Contents) {
        const name = Key.slice(prefix.length)
        if (name && !name.includes('/')) files.push({ name, bytes: Size })
      }
    return files
  }

  const write = async (name: string, content: Readable, maxBytes: number) => {
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: prefix + name, Body: content },
      partSize: Math.max(minPartBytes, Math.ceil(maxBytes / maxParts)),
      queueSize: 2,
      leavePartsOnError: false,
    })
    await upload.done()
  }

  /** Uploads of processes that ended: invisible, but stored and charged. */
  const tidy = async () => {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }))
    for (const { Key = '', UploadId } of Uploads)
      if (Key.startsWith(`${prefix}gridmast-`))
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
  }

  const read = async (name: string): Promise<Readable> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: prefix + name }))
    if (!(Body instanceof Readable)) throw new Error('no content')
    return Body
  }

  const remove = async (name: string) => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix + name }))
  }

  return {
    address: `s3://${bucket}/${prefix}`,
    list: () => explain(list()),
    write: (...what) => explain(write(...what)),
    read: (name) => explain(read(name)),
    remove: (name) => explain(remove(name)),
    tidy: () => explain(tidy()),
    close: () => client.destroy(),
  }
}
