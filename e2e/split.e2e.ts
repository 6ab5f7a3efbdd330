import { once } from 'node:events'
import { logoutAll } from '@gridmast/contract/auth.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { expect, test, type Page } from '@playwright/test'
import { connectAsync, type MqttClient } from 'mqtt'
import { password, people } from './support/people.ts'
import { type Part, type Split, startSplit } from './support/split.ts'

let split: Split | null
let edge: MqttClient
let seq = 0

test.beforeAll(async () => {
  test.setTimeout(180_000) // six programs start, and beside them a demo
  split = await startSplit()
  if (split) edge = await connectAsync(split.urlOf('edge-lab'), { clientId: 'edge-lab', protocolVersion: 4 })
})
test.afterAll(async () => {
  await edge?.endAsync()
  await split?.stop()
})

const installation = (): Split => {
  test.skip(!split, 'needs PostgreSQL and Mosquitto (Debian: apt-get install postgresql mosquitto)')
  if (!split) throw new Error('skipped above')
  return split
}
const publish = (power: number) =>
  edge.publishAsync(
    'gm/v1/edge-lab/telemetry/lab',
    JSON.stringify({ v: 1, seq: ++seq, t0: new Date().toISOString(), dtMs: 1000, f: [50.01], p: [power] }),
    { qos: 1 },
  )
const signInAt = async (page: Page, { portal }: Part) => {
  const answer = await page.request.post(`${portal}/api/user/login`, {
    data: { user: { email: people.sudoer, password } },
  })
  const { data } = (await answer.json()) as { data: { token: string } } // the contract's own tests hold the shape
  await page.addInitScript(
    ([key, token]) => {
      if (sessionStorage.getItem('signed in')) return
      sessionStorage.setItem('signed in', 'once')
      localStorage.setItem(key, token)
    },
    [storageKeys.token, data.token] as const,
  )
  await page.goto(`${portal}/`)
  return data.token
}

test('an installation in several processes: live through Mosquitto, over the death of the ingest, until the session ends elsewhere', async ({
  page,
}) => {
  const { web, otherWeb, ingest, startIngest } = installation()
  for (const part of [web, otherWeb, ingest]) {
    const health = await page.request.get(`${part.health}/api/health`)
    expect([health.status(), await health.json()]).toMatchObject([200, { ready: true }])
  }
  const token = await signInAt(page, web)
  await page.getByRole('button', { name: 'Choose an instance', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lab' }).click()
  const chart = page.getByRole('region', { name: /^Lab/ })
  await expect(chart).toBeVisible()

  await publish(123.4)
  await expect(chart.getByText('123,4').first()).toBeVisible({ timeout: 5000 })

  // What arrives while the ingest is dead waits in the broker; the open page sees it when another has taken its place.
  const dead = once(ingest.process, 'exit')
  ingest.process.kill('SIGKILL')
  await dead
  await publish(234.5)
  await startIngest()
  await expect(chart.getByText('234,5').first()).toBeVisible({ timeout: 10_000 })
  await publish(345.6)
  await expect(chart.getByText('345,6').first()).toBeVisible({ timeout: 5000 })

  // Signed out at another process: this one ends the stream and shows the way in again.
  const answer = await page.request.post(`${otherWeb.portal}/api${logoutAll.path}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { tokens: [token] },
  })
  expect(answer.ok()).toBe(true)
  await expect(page).toHaveURL(/\/auth\/login/, { timeout: 10_000 })
})
