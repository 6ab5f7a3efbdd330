import type { AddressInfo } from 'node:net'
import { liveReadings } from '@gridmast/contract/live.ts'
import { logout } from '@gridmast/contract/people/auth.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { forgetViewers } from '#access/viewer.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { newToken, tokenSha256 } from '#platform/security/token.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'

let app: TestApp
let base: string
const start = async () => {
  app = await openTestApp()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` // a TCP server's address is never a pipe's name
}
beforeAll(start)
afterAll(() => app.close())

const listen = async (token: string, query = '') => {
  const stop = new AbortController()
  const response = await fetch(`${base}/api/client/live${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  })
  const heard = { status: response.status, text: '', ended: false, stop: () => stop.abort() }
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk)
    heard.ended = true
  })().catch(() => {})
  await expect.poll(() => heard.text).toContain('event: hello')
  return heard
}

const values = { x: [1], y: [2] }
const customerId = (key: string) => idOf('customer', key)

test('T5 each customer receives its own readings and public events', async () => {
  const [north, west] = [
    await listen(await app.tokenOf('sudoer@north.example')),
    await listen(await app.tokenOf('auditor@west.example')),
  ]
  app.live.publish(customerId('west'), 'readings', { instanceId: 'canary', signals: { power: values } })
  app.live.announce('prices', { date: '2026-11-21' })
  for (const stream of [north, west]) await expect.poll(() => stream.text).toContain('event: prices')
  expect(west.text).toContain('canary')
  expect(north.text).not.toContain('canary')
  north.stop()
  west.stop()
  await expect.poll(() => app.live.count()).toBe(0)
})

const instancesOf = (key: string) =>
  storedRows(app.records, 'instance', { customer_id: customerId(key) }, ['instance_id'])

test('R2 a custom user receives the kinds that the allowed map opens', async () => {
  const allow = (...keys: string[]) =>
    changeRows(
      app.records,
      'app_user',
      { email: 'custom@north.example' },
      { allowed: JSON.stringify(Object.fromEntries(keys.map((key) => [key, true]))) },
    )
  const token = await app.tokenOf('custom@north.example')
  const north = customerId('north')
  const [instance] = await instancesOf('north')
  const heardWith = async (...keys: string[]) => {
    await allow(...keys)
    forgetViewers()
    // News of the other rights may arrive late and end a stream that has just been opened.
    const stream = await vi.waitFor(async () => {
      const opened = await listen(token)
      app.live.publish(north, 'readings', {
        instanceId: instance?.instance_id,
        signals: { power: values, frequency: values },
      })
      app.live.announce('prices', { dataset: 'any' })
      app.live.announce('done', {})
      await expect.poll(() => opened.ended || opened.text.includes('event: done')).toBe(true)
      expect(opened.ended).toBe(false)
      return opened
    }, 30_000)
    stream.stop()
    return ['power', 'frequency', 'prices'].filter((word) => stream.text.includes(word))
  }
  expect(await heardWith('carbonemission')).toEqual([])
  expect(await heardWith('nordPool')).toEqual(['prices'])
  expect(await heardWith('e3App')).toEqual(['power', 'frequency'])
})

test('a stream has the requested instances and kinds', async () => {
  const [first, second] = (await instancesOf('north')).map((row) => row.instance_id)
  const token = await app.tokenOf('sudoer@north.example')
  const north = customerId('north')
  const [all, one] = [await listen(token), await listen(token, `?instanceIds=${first}&kinds=power&kinds=setPoint`)]
  for (const instanceId of [first, second])
    app.live.publish(north, 'readings', { instanceId, signals: { power: values, frequency: values } })
  app.live.announce('prices', { dataset: 'any' })
  app.live.announce('done', {})
  for (const stream of [all, one]) await expect.poll(() => stream.text).toContain('event: done')
  const dataOf = (text: string) =>
    [...text.matchAll(/event: readings\ndata: (.*)/g)].map((found) => liveReadings.parse(JSON.parse(found[1] ?? '')))
  const both = { power: values, frequency: values }
  expect(dataOf(all.text)).toEqual([
    { instanceId: first, signals: both },
    { instanceId: second, signals: both },
  ])
  expect(dataOf(one.text)).toEqual([{ instanceId: first, signals: { power: values } }])
  expect(one.text).not.toContain('event: prices')
  all.stop()
  one.stop()
})

test('a changed profile of one session is sent to its streams only, without its id', async () => {
  const tokens = [await app.tokenOf('sudoer@north.example'), await app.tokenOf('expert@north.example')]
  const [own, other] = [await listen(tokens[0] ?? ''), await listen(tokens[1] ?? '')]
  const { session_id: sessionId } = await storedRow(app.records, 'user_session', {
    token_sha256: tokenSha256(tokens[0] ?? ''),
  })
  app.live.publish(customerId('north'), 'profile', { sessionId })
  app.live.announce('done', {})
  for (const stream of [own, other]) await expect.poll(() => stream.text).toContain('event: done')
  expect(own.text).toContain('event: profile\ndata: {}')
  expect(other.text).not.toContain('event: profile')
  app.live.publish(customerId('north'), 'profile', {})
  for (const stream of [own, other]) await expect.poll(() => stream.text).toMatch(/done[^]*event: profile\ndata: {}/)
  own.stop()
  other.stop()
})

test('S1 a stream ends with its session', async () => {
  const token = await app.tokenOf('expert@north.example')
  const stream = await listen(token)
  await app.ask(logout, { token })
  await expect.poll(() => stream.ended).toBe(true)
})

test('S1 a stream of an API key ends when the key is revoked', async () => {
  const token = newToken('apiKey')
  const key_id = newId()
  const user = await storedRow(app.records, 'app_user', { email: 'sudoer@north.example' }, ['customer_id', 'user_id'])
  await addRows(app.records, 'api_key', {
    ...user,
    key_id,
    name: 'Wall screen',
    token_sha256: tokenSha256(token),
    ending: token.slice(-4),
    scopes: ['live.read', 'power.read'],
    created_at: new Date(),
  })
  const stream = await listen(token)
  app.live.publish(customerId('north'), 'readings', { instanceId: newId(), signals: { power: values } })
  await expect.poll(() => stream.text).toContain('event: readings')
  // One check ends all streams whose rights have ended.
  const session = await app.tokenOf('expert@north.example')
  const other = await listen(session)
  await app.ask(logout, { token: session })
  await expect.poll(() => other.ended).toBe(true)
  expect(stream.ended).toBe(false)
  await changeRows(app.records, 'api_key', { key_id }, { revoked_at: new Date() })
  await expect.poll(() => stream.ended).toBe(true)
})

test('S1 an open stream of a closed server does not keep a stream of the next one open', async () => {
  const authorization = `Bearer ${await app.tokenOf('sudoer@north.example')}`
  void app.http.inject({ url: '/api/client/live', headers: { authorization } })
  await expect.poll(() => app.live.count()).toBe(1)
  await app.close()
  await start()
  const token = await app.tokenOf('expert@north.example')
  const stream = await listen(token)
  await app.ask(logout, { token })
  await expect.poll(() => stream.ended).toBe(true)
})
