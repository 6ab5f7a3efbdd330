import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An answer that is the same for everybody, written and packed when it is first asked for: written for each, eight strangers who
 * asked again and again held up everybody else for seconds (measured).
 */
export const madeOnce = (type: string, write: () => string) => {
  let made: { plain: Buffer; packed: Buffer } | undefined
  return ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): { taken: true } => {
    if (!made) {
      const plain = Buffer.from(write())
      made = { plain, packed: gzipSync(plain) }
    }
    void reply.type(type).header('vary', 'accept-encoding')
    if (/\bgzip\b/.test(String(request.headers['accept-encoding'])))
      void reply.header('content-encoding', 'gzip').send(made.packed)
    else {
      request.headers['x-no-compression'] = '' // or the frame packs it for each who reads nothing but deflate
      void reply.send(made.plain)
    }
    return { taken: true }
  }
}
