import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Signature version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

type Keys = { accessKey: string; secretKey: string }

/** The error code of S3, or null for a valid signature. */
export const refusalOf = (request: IncomingMessage, url: URL, { accessKey, secretKey }: Keys): string | null => {
  const read =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!read) return 'AccessDenied'
  const [, key, date = '', region = '', names = '', signature] = read
  if (key !== accessKey) return 'InvalidAccessKeyId'
  const header = (name: string) => [request.headers[name] ?? ''].flat().join(',').trim().replaceAll(/ +/g, ' ')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonical = [
    request.method,
    url.pathname,
    query,
    ...names.split(';').map((name) => `${name}:${header(name)}`),
    '',
    names,
    header('x-amz-content-sha256'),
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${header('x-amz-date')}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`
  const signing = [region, 's3', 'aws4_request'].reduce<Buffer>(
    (from, part) => hmac(from, part),
    hmac(`AWS4${secretKey}`, date),
  )
  return hmac(signing, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}
