import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local HTTP server in place of a source of data: it records the requests and answers by `answer`. */
export const serveUpstream = async () => {
  const server = createServer((request, response) => {
    upstream.asked.push(new URL(request.url ?? '', 'http://x'))
    upstream.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const answer: RequestListener = (_, response) => response.writeHead(404).end()
  const upstream = {
    url: `http://127.0.0.1:${port}`,
    asked: [] as URL[],
    answer,
    close: () => server.close(),
  }
  return upstream
}

export const json: (body: string) => RequestListener = (body) => (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
