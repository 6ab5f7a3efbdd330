import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An answer that is equal for all clients, written and compressed at the first request: written per request, eight clients in a loop delayed all
 * others for seconds (measured).
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
      request.headers['x-no-compression'] = '' // otherwise the frame compresses it again for each client that accepts only deflate
      void reply.send(made.plain)
    }
    return { taken: true }
  }
}
