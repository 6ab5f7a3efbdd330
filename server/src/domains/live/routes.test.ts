import type { AddressInfo } from 'node:net'
import { logout } from '@gridmast/contract/auth.ts'
import { live } from '@gridmast/contract/live.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#platform/ids.ts'
import { newToken, tokenSha256 } from '#platform/token.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'

let app: TestApp
let base: string
const start = async () => {
  app = await openTestApp()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` // a TCP server's address is never a pipe's name
}
beforeAll(start)
afterAll(() => app.close())

/** Opens the stream and keeps what comes; `ended` once the server closed it. */
const listen = async (token: string) => {
  const stop = new AbortController()
  const response = await fetch(`${base}/api/client/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  })
  const heard = { status: response.status, text: '', ended: false, stop: () => stop.abort() }
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk as Uint8Array) // fetch streams bytes
    heard.ended = true
  })().catch(() => {})
  await vi.waitFor(() => expect(heard.text).toContain('event: hello'))
  return heard
}

const customerId = (key: string) =>
  app.records.system(
    async (tx) =>
      (await tx.selectFrom('customer').select('customer_id').where('key', '=', key).executeTakeFirstOrThrow())
        .customer_id,
  )

test('T5 each customer hears its own readings only, and public news as well', async () => {
  const [north, west] = [
    await listen(await app.tokenOf('sudoer@north.example')),
    await listen(await app.tokenOf('auditor@west.example')),
  ]
  app.live.publish(await customerId('west'), 'readings', { canary: 'west' })
  app.live.announce('prices', { date: '2026-11-21' })
  await vi.waitFor(() => expect([north.text, west.text].every((text) => text.includes('event: prices'))).toBe(true))
  expect(west.text).toContain('canary')
  expect(north.text).not.toContain('canary')
  north.stop()
  west.stop()
  await vi.waitFor(() => expect(app.live.count()).toBe(0))
})

test('S1 a stream ends with its session', async () => {
  const token = await app.tokenOf('expert@north.example')
  const stream = await listen(token)
  await app.ask(logout, { token })
  await vi.waitFor(() => expect(stream.ended).toBe(true), 30_000)
})

test('S1 a stream of an API key lives as long as the key', async () => {
  const token = newToken('apiKey')
  const key_id = newId()
  await app.records.system(async (tx) => {
    const person = await tx
      .selectFrom('app_user')
      .select(['customer_id', 'user_id'])
      .where('email', '=', 'sudoer@north.example')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('api_key')
      .values({
        ...person,
        key_id,
        name: 'Wall screen',
        token_sha256: tokenSha256(token),
        ending: token.slice(-4),
        scopes: ['live.read'],
        created_at: new Date(),
      })
      .execute()
  })
  const stream = await listen(token)
  app.live.publish(await customerId('north'), 'readings', { n: 1 })
  await vi.waitFor(() => expect(stream.text).toContain('event: readings'))
  await new Promise((resolve) => setTimeout(resolve, 1500)) // longer than the watch over sessions takes
  expect(stream.ended).toBe(false)
  await app.records.system((tx) =>
    tx.updateTable('api_key').set({ revoked_at: new Date() }).where('key_id', '=', key_id).execute(),
  )
  await vi.waitFor(() => expect(stream.ended).toBe(true), 30_000)
})

test('S1 a stream that outlived its server keeps no stream of the next one open', async () => {
  void app.ask(live, { token: await app.tokenOf('sudoer@north.example') }) // without a socket: nothing tells that its reader is gone
  await vi.waitFor(() => expect(app.live.count()).toBe(1))
  await app.close()
  await start()
  const token = await app.tokenOf('expert@north.example')
  const stream = await listen(token)
  await app.ask(logout, { token })
  await vi.waitFor(() => expect(stream.ended).toBe(true), 30_000)
})
