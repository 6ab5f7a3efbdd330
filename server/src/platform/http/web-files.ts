import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A path that a page may have: it can be read, has no empty step, no control character, and does not end like a file. */
const isPagePath = (url: string): boolean => {
  const path = url.split('?')[0] ?? ''
  try {
    return !/\/\/|\p{Cc}|\.\w+$/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

/**
 * The built portal: its files as the build compressed them, and for any other address its page, which decides what to show. Answers what
 * sends that page, false where no page is meant: files that are missing stay missing.
 */
export const serveWebFiles = async (
  http: FastifyInstance,
  webRoot: string,
): Promise<((request: FastifyRequest, reply: FastifyReply) => boolean) | null> => {
  if (!existsSync(join(webRoot, 'index.html'))) return null
  await http.register(fastifyStatic, {
    root: webRoot,
    wildcard: false, // a route for each file of the build: anything else is no file, whatever its path holds
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Built files carry their content's hash in the name; index.html must be fresh.
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (request, reply) => {
    if (request.method !== 'GET' || !isPagePath(request.url)) return false
    void reply.sendFile('index.html')
    return true
  }
}
