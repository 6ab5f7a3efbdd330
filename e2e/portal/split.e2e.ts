import { once } from 'node:events'
import { logoutAll } from '@gridmast/contract/people/auth.ts'
import { edgeCommand, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { expect, test, type Page } from '@playwright/test'
import { connectAsync, type MqttClient } from 'mqtt'
import { password, people } from '../support/people.ts'
import { type Part, type Split, startSplit } from '../support/split.ts'

let split: Split | null
let edge: MqttClient
let ingest: Part | undefined
let seq = 0

test.beforeAll(async () => {
  test.setTimeout(180_000) // six programs start next to a demo
  split = await startSplit()
  ingest = split?.ingest
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
/** By kill -9; another process is started on request. */
const killIngest = async () => {
  const child = ingest?.process
  if (!child) throw new Error('started before the tests')
  const dead = once(child, 'exit')
  child.kill('SIGKILL')
  await dead
}
const signInAt = async (page: Page, { portal }: Part) => {
  const answer = await page.request.post(`${portal}/api/user/login`, {
    data: { user: { email: people.sudoer, password } },
  })
  const { data } = (await answer.json()) as { data: { token: string } } // the shape is checked by the contract's tests
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

test('an installation in several processes: live through Mosquitto, across a kill of one of two ingests, until the session ends elsewhere', async ({
  page,
}) => {
  const { web, otherWeb, ingest: first, startIngest } = installation()
  const second = await startIngest()
  for (const part of [web, otherWeb, first, second]) {
    const health = await page.request.get(`${part.health}/api/health`)
    expect([health.status(), await health.json()]).toMatchObject([200, { ready: true }])
  }
  const token = await signInAt(page, web)
  await page.getByRole('button', { name: 'Choose an instance', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lab' }).click()
  const chart = page.getByRole('region', { name: /^Lab/ })
  await expect(chart).toBeVisible()

  // The card has its name before its stream is open.
  await expect(async () => {
    await publish(123.4)
    await expect(chart.getByText('123,4').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 60_000 })

  // The first one keeps the partition of the edge. Its messages wait in the broker while it is dead; the open page receives them from the second.
  const held = async ({ health }: Part) =>
    /^gridmast_ingest_partitions_held (\d+)$/m.exec(await (await page.request.get(`${health}/metrics`)).text())?.[1]
  await expect.poll(async () => [await held(first), await held(second)]).toEqual(['2', '2'])
  await killIngest()
  await publish(234.5)
  ingest = second
  await expect(chart.getByText('234,5').first()).toBeVisible()
  await publish(345.6)
  await expect(chart.getByText('345,6').first()).toBeVisible()

  // Signed out at another process: this one ends the stream and shows sign-in.
  const answer = await page.request.post(`${otherWeb.portal}/api${logoutAll.path}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { tokens: [token] },
  })
  expect(answer.ok()).toBe(true)
  await expect(page).toHaveURL(/\/auth\/login/)
})

test('C1 a set point of one process is sent by another, through Mosquitto, once; without an ingest it is unanswered and never sent later', async ({
  page,
}) => {
  const { web, startIngest } = installation()
  const heard: number[] = []
  edge.on('message', (_topic, payload) => {
    const { id, profiles } = edgeCommand.parse(JSON.parse(payload.toString()))
    heard.push(...profiles.map(({ setPoint }) => setPoint))
    void edge.publishAsync(edgeTopic.commandResponse('edge-lab'), JSON.stringify({ v: 1, id, status: 'APPLIED' }), {
      qos: 1,
    })
  })
  await edge.subscribeAsync(edgeTopic.commandRequest('edge-lab'), { qos: 1 })
  await edge.publishAsync('gm/v1/edge-lab/status', JSON.stringify({ v: 1, online: true, codeVersion: 'v4.4.2' }), {
    qos: 1,
  })
  await signInAt(page, web)
  await page.goto(`${web.portal}/e3-App/FCR-D-INC?tab=details`)
  const lab = page.getByRole('row', { name: /Lab/ })
  const dialog = page.getByRole('dialog', { name: 'Equipment Testing' })
  // The status of an edge is written within seconds.
  await expect(async () => {
    await page.reload()
    await lab.getByRole('button', { name: 'Equipment Testing' }).click()
    await expect(dialog.getByText('Lab · edge-lab · v4.4.2')).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  const give = async (setPoint: number) => {
    await dialog.getByRole('textbox', { name: /^Load/ }).fill(String(setPoint))
    await page.keyboard.press('Enter')
    if (setPoint > 0)
      await page
        .getByRole('dialog', { name: `Send set point ${setPoint} %?` })
        .getByRole('button', { name: 'Send' })
        .click()
  }
  const answer = (setPoint: number, words: string) =>
    dialog
      .getByRole('status')
      .filter({ hasText: `Set point ${setPoint} %` })
      .getByText(words)
  await give(40)
  await expect(answer(40, 'APPLIED')).toBeVisible()
  expect(heard).toEqual([40])

  await killIngest()
  await give(70)
  await expect(answer(70, m.noResponseFromEdge)).toBeVisible()
  ingest = await startIngest()
  await expect(async () => {
    await give(0)
    await expect(answer(0, 'APPLIED')).toBeVisible({ timeout: 2000 })
  }).toPass()
  // A release may be repeated; an unanswered set point is not.
  expect(new Set(heard.slice(1))).toEqual(new Set([0]))
})
