import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A readable path without empty segments, control characters and a file extension. */
const isPagePath = (url: string): boolean => {
  const path = url.split('?')[0] ?? ''
  try {
    return !/\/\/|\p{Cc}|\.\w+$/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

/**
 * The built portal: precompressed files, and index.html for page paths. Answers a function that sends the page, or
 * false for other paths: a missing file is a 404.
 */
export const serveWebFiles = async (
  http: FastifyInstance,
  webRoot: string,
): Promise<((request: FastifyRequest, reply: FastifyReply) => boolean) | null> => {
  if (!existsSync(join(webRoot, 'index.html'))) return null
  await http.register(fastifyStatic, {
    root: webRoot,
    wildcard: false, // one route per built file; any other path is no file
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Built files have a content hash in the name; index.html must be revalidated.
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (request, reply) => {
    if (request.method !== 'GET' || !isPagePath(request.url)) return false
    void reply.sendFile('index.html')
    return true
  }
}
