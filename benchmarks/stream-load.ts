// Live streams for benchmarks/growth-streams.ts in a separate process. One order of JSON a line on stdin, one answer a line on stdout.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createInterface } from 'node:readline'

type Order = { do: 'open'; count: number } | { do: 'news' } | { do: 'end' }

const streamsPerUser = 20
const atOnce = 50

const [url = '', tokensFile = ''] = process.argv.slice(2)
const tokens = JSON.parse(readFileSync(tokensFile, 'utf8')) as string[]
let [open, news, bytes] = [0, 0, 0]

const openStream = (no: number) =>
  new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${tokens[Math.floor(no / streamsPerUser)]}` }
    // One address has 28,000 ports, so several are used.
    const localAddress = `127.0.0.${2 + (no % 8)}`
    get(`${url}/api/client/live`, { headers, localAddress, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream was answered ${answer.statusCode}`))
      open++
      answer.on('data', (part: Buffer) => {
        bytes += part.length
        if (part.includes('event: readings')) news++
      })
      answer.once('close', () => open--)
      resolve()
    }).once('error', reject)
  })

for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as Order
  if (order.do === 'open') {
    const last = open + order.count
    let next = open
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < last) await openStream(next++)
      }),
    )
  }
  if (order.do === 'end') process.exit(0)
  process.stdout.write(`${JSON.stringify({ done: { open, news, bytes } })}\n`)
  ;[news, bytes] = [0, 0]
}
