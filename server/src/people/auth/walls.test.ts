import { handoff, loginLink, logout, revokeSession, sessions, verify } from '@gridmast/contract/people/auth.ts'
import { findFaults } from '@gridmast/contract/notifications/faults.ts'
import { energyNow } from '@gridmast/contract/grid/energy-now.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { updatePassword } from '@gridmast/contract/people/profile.ts'
import { addWall, changeWall, openWall } from '@gridmast/contract/people/wall.ts'
import { calls } from '@gridmast/contract/calls.ts'
import { findSoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { newId } from '#platform/records/ids.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'
import { makeLoginLink } from './sign-in.ts'

const app = await openTestApp()
afterAll(() => app.close())

const startMs = Date.parse('2026-11-20T08:00:00Z')
const after = (ms: number) => app.setNow(new Date(startMs + ms).toISOString())
const expert = 'expert@north.example'
let token = ''
beforeEach(async () => {
  after(0)
  await app.byHand((tx) => tx.deleteFrom('user_session').execute())
  await app.byHand((tx) => tx.deleteFrom('one_time_code').execute())
  await changeRows(app.records, 'app_user', { email: expert }, { password_updated_at: new Date(startMs) })
  token = await app.tokenOf(expert)
})

const link = async (name = 'Control room', by = token) => (await app.data(addWall, { token: by, body: { name } })).id
const open = (id: string) => app.ask(openWall, { body: { id } })
const wallOf = async (name?: string) => (await open(await link(name))).body.data.token
const statusOf = async (of: string) => (await app.ask(verify, { token: of })).status
const ended = { status: 401, body: { success: false, message: m.wallLinkEnded } }

test('S5 C4 the link opens one session with its name, which is listed and signed out with the others', async () => {
  const id = await link()
  const { body } = await open(id)
  expect(body.data).toEqual({ token: expect.stringMatching(/^gmw_[\w-]{43}$/), name: 'Control room' })
  expect(await open(id)).toMatchObject(ended)
  const listed = (await app.data(sessions, { token })).sessions
  expect(listed.map(({ wall, current }) => [wall, current])).toEqual(
    expect.arrayContaining([
      ['Control room', false],
      [null, true],
    ]),
  )
  const sessionId = listed.find(({ wall }) => wall !== null)?._id ?? ''
  const colleague = await app.tokenOf('sudoer@north.example')
  expect((await app.ask(revokeSession, { token: colleague, params: { sessionId } })).status).toBe(404)
  expect(await statusOf(body.data.token)).toBe(200)
  expect((await app.ask(revokeSession, { token, params: { sessionId } })).status).toBe(200)
  expect(await app.ask(verify, { token: body.data.token })).toMatchObject({
    status: 401,
    body: { message: m.sessionEnded },
  })
  const trail = await app.trail('auth.%')
  expect(trail.map(({ who, action, subject }) => [who, action, subject]).slice(-3)).toEqual([
    [expert, 'auth.wall-link', 'Control room'],
    [expert, 'auth.wall', 'Control room'],
    [expert, 'auth.revoke-session', sessionId],
  ])
  expect(JSON.stringify(trail)).not.toContain(id)
})

test('S1 a wall screen ends its own session, as a device does that opens another link', async () => {
  const wall = await wallOf()
  expect((await app.ask(logout, { token: wall })).status).toBe(200)
  expect(await statusOf(wall)).toBe(401)
  expect(await statusOf(token)).toBe(200)
})

test('S5 links are void once their user signs out a session, or has another password by whatever server', async () => {
  const [first, second] = [await link(), await link()]
  expect((await open(first)).status).toBe(200)
  const wall = (await app.data(sessions, { token })).sessions.find((one) => one.wall !== null)
  await app.data(revokeSession, { token, params: { sessionId: wall?._id ?? '' } })
  expect(await open(second)).toMatchObject(ended)
  const third = await link()
  after(60_000)
  await changeRows(app.records, 'app_user', { email: expert }, { password_updated_at: new Date(startMs + 30_000) })
  expect(await open(third)).toMatchObject(ended)
})

test('S5 concurrent uses of a link open one session', async () => {
  const id = await link()
  const answers = await Promise.all(Array.from({ length: 8 }, () => open(id)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await storedRows(app.records, 'user_session')).filter(({ wall_name }) => wall_name !== null)).toHaveLength(1)
})

test('S5 the link is valid for 10 minutes, for this purpose only, and not after its user was disabled', async () => {
  const [early, late, other, disabled] = [await link(), await link(), await link(), await link()]
  expect((await app.ask(loginLink, { body: { id: other } })).status).toBe(401)
  expect((await app.ask(handoff, { body: { code: other } })).status).toBe(401)
  expect(await open(await makeLoginLink(app.records, app.secret, expert, startMs))).toMatchObject(ended)
  await changeRows(app.records, 'app_user', { email: expert }, { enabled: false })
  expect(await open(disabled)).toMatchObject(ended)
  await changeRows(app.records, 'app_user', { email: expert }, { enabled: true })
  after(limits.linkLifeMs - 1)
  expect((await open(early)).status).toBe(200)
  after(limits.linkLifeMs)
  expect(await open(late)).toMatchObject(ended)
})

test.each([
  [{ id: '' }, 400],
  [{ id: 'x'.repeat(101) }, 400],
  [{ id: 'x', user: 'sudoer' }, 400],
  [{ id: 'x' }, 401],
])('S5 R3 %j opens nothing', async (body, status) => {
  const answer = await app.ask(openWall, { body })
  expect(answer.status).toBe(status)
  if (status === 401) expect(answer.body).toEqual(ended.body)
})

test('a wall screen has the figures of its user, and no person, contact or budget of a tag', async () => {
  await changeRows(
    app.records,
    'customer',
    { key: 'north' },
    { address: JSON.stringify({ primaryContactName: 'Canary Contact', billingEmail: 'canary@north.example' }) },
  )
  const wall = await wallOf()
  const { body, text } = await app.ask(verify, { token: wall })
  expect(body.data).toMatchObject({
    due: null,
    wall: 'Control room',
    user: { name: 'Control room', email: '', contact: null, profileImage: null, userRole: 'expert' },
  })
  const risks = await app.ask(findSoldRisks, { token: wall, query: {} })
  const faults = await app.ask(findFaults, { token: wall })
  const energy = await app.ask(energyNow, { token: wall })
  expect([risks.status, faults.status, energy.status]).toEqual([200, 200, 200])
  expect(risks.body.data.support).toEqual({ name: '', phone: null, email: '' })
  for (const answer of [text, risks.text, faults.text, energy.text]) expect(answer).not.toMatch(/@|canary/i)
  expect((await app.ask(verify, { token })).text).toContain('Canary Contact')
})

test('S1 the session ends after 30 days without use, and after 400 days in any case', async () => {
  const wall = await wallOf()
  for (let day = 0; day < limits.wallDays; day += limits.wallIdleDays - 1) {
    after(day * dayMs)
    expect(await statusOf(wall)).toBe(200)
  }
  after(limits.wallDays * dayMs)
  expect(await statusOf(wall)).toBe(401)
  after(0)
  const idle = await wallOf()
  after(limits.wallIdleDays * dayMs)
  expect(await statusOf(idle)).toBe(401)
})

test('S2 an expired password does not stop a wall screen, and creates no further one', async () => {
  const wall = await wallOf()
  const changed = (password_updated_at: Date) =>
    changeRows(app.records, 'app_user', { email: expert }, { password_updated_at })
  await changed(new Date(startMs - limits.passwordExpiryS * 1000 - 1))
  expect((await app.data(verify, { token: wall })).due).toBeNull()
  expect((await app.ask(energyNow, { token: wall })).status).toBe(200)
  expect(await app.ask(addWall, { token, body: { name: 'Second' } })).toMatchObject({
    status: 403,
    body: { message: m.passwordExpired },
  })
  await changed(new Date(startMs))
})

test('S1 a new password ends wall screens and their unused links', async () => {
  const [wall, unused] = [await wallOf(), await link()]
  const signedIn = await app.signIn(expert)
  const body = { currentPassword: 'gridmast-demo', newPassword: 'another-pass-9', confirmNewPassword: 'another-pass-9' }
  expect((await app.ask(updatePassword, { token: signedIn, body })).status).toBe(200)
  expect(await statusOf(wall)).toBe(401)
  expect(await open(unused)).toMatchObject(ended)
})

test('L1 a user has at most 10 wall screens, links included; one that is signed out makes room', async () => {
  for (let i = 1; i < limits.walls; i++) await wallOf(`Screen ${i}`)
  await link()
  const refused = { status: 409, body: { message: m.tooManyWalls(limits.walls) } }
  expect(await app.ask(addWall, { token, body: { name: 'One more' } })).toMatchObject(refused)
  const colleague = await app.tokenOf('sudoer@north.example')
  expect(await link('Of a colleague', colleague)).toMatch(/^[\w-]{43}$/)
  const [first] = (await app.data(sessions, { token })).sessions.filter(({ wall }) => wall !== null)
  await app.ask(revokeSession, { token, params: { sessionId: first?._id ?? '' } })
  expect((await app.ask(addWall, { token, body: { name: 'One more' } })).status).toBe(200)
})

test('R3 L1 the name is text of 1 to 40 characters', async () => {
  const refused = ['', '   ', 'x'.repeat(limits.wallNameMax + 1), 'a\u202eb', 'a\0b', 7]
  for (const name of refused) expect((await app.ask(addWall, { token, body: { name } })).status).toBe(400)
  expect((await app.ask(addWall, { token, body: { name: 'x', userId: 'x' } })).status).toBe(400)
  const hostile = `<img src=x onerror=alert(1)> '; --`
  const wall = await wallOf(hostile)
  expect((await app.data(verify, { token: wall })).wall).toBe(hostile)
})

test('T5 the budget of a tag is a fault for its user, and never on a wall screen, which reads eight calls', async () => {
  const { customer_id } = await storedRow(app.records, 'customer', { key: 'north' })
  const [tag_id, at] = [newId(), new Date(startMs)]
  const licence = { customer_id, licence_id: newId(), type: 'evCharging', name: 'EV', icon: '', enabled: true }
  await addRows(app.records, 'licence', licence)
  const tag = { customer_id, tag_id, tag: 'CANARY-TAG', name: 'Canary Driver', active: true, created_at: at }
  await addRows(app.records, 'charger_tag', tag)
  const notice = { customer_id, scope_id: tag_id, month: '2026-11', threshold: 'spent', at }
  await addRows(app.records, 'charging_budget_notice', notice)
  const kindsOf = async (of: string) => (await app.data(findFaults, { token: of })).faults.map(({ kind }) => kind)
  expect(await kindsOf(token)).toContain('budget')
  const wall = await wallOf()
  expect(await kindsOf(wall)).not.toContain('budget')
  expect((await app.ask(findFaults, { token: wall })).text).not.toMatch(/canary/i)
  const read = Object.entries(calls).flatMap(([name, call]) => ('wall' in call && call.method === 'GET' ? name : []))
  expect(read.toSorted()).toEqual([
    'energyNow',
    'findFaults',
    'findSoldRisks',
    'frequencySeries',
    'live',
    'powerCost',
    'runningEvents',
    'verify',
  ])
})

const signals = async (key: string) => {
  const { customer_id } = await storedRow(app.records, 'customer', { key })
  const [frequency] = await storedRows(app.records, 'frequency_signal', { customer_id })
  const [price] = await storedRows(app.records, 'price_signal', { customer_id })
  return { frequencyId: frequency?.frequency_id ?? '', priceSignalId: price?.price_signal_id ?? '' }
}

test('C4 cards are chosen with the link, shown by the screen, and changed in the list of sessions', async () => {
  const { frequencyId, priceSignalId } = await signals('north')
  const show = { cards: [{ card: 'price', priceSignalId }, { card: 'energy' }], seconds: 60 }
  const { id } = await app.data(addWall, { token, body: { name: 'Control room', show } })
  const wall = (await open(id)).body.data.token
  expect((await app.data(verify, { token: wall })).wallShow).toEqual(show)
  const listed = (await app.data(sessions, { token })).sessions
  expect(listed.map(({ wall: name, wallShow }) => [name, wallShow])).toEqual(
    expect.arrayContaining([
      ['Control room', show],
      [null, null],
    ]),
  )
  const events: unknown[] = []
  const stop = app.live.subscribe(
    (await storedRow(app.records, 'customer', { key: 'north' })).customer_id,
    (event, data) => events.push([event, data]),
  )
  const sessionId = listed.find(({ wall: name }) => name !== null)?._id ?? ''
  const changed = { cards: [{ card: 'frequency', frequencyId }], seconds: 10 }
  const change = (by: string, of = sessionId, body: object = { show: changed }) =>
    app.ask(changeWall, { token: by, params: { sessionId: of }, body })
  expect((await change(await app.tokenOf('sudoer@north.example'))).status).toBe(404)
  expect((await change(wall)).body.message).toBe(m.wallRefused)
  expect((await change(token, listed.find(({ current }) => current)?._id)).status).toBe(404)
  expect(events).toEqual([])
  expect((await change(token)).status).toBe(200)
  stop()
  expect(events).toEqual([['profile', { sessionId }]])
  expect((await app.data(verify, { token: wall })).wallShow).toEqual(changed)
  expect((await app.trail('auth.%')).at(-1)).toMatchObject({ action: 'auth.wall-cards', subject: 'Control room' })
})

test('the standard cards are shown without a choice, and for a stored one that is none', async () => {
  const wall = await wallOf()
  expect((await app.data(verify, { token: wall })).wallShow).toBeNull()
  await changeRows(app.records, 'user_session', { wall_name: 'Control room' }, { wall_show: '{"cards":["gone"]}' })
  expect((await app.data(verify, { token: wall })).wallShow).toBeNull()
})

test('T4 L1 R3 cards of another company, of no kind, none, too many or too fast are refused', async () => {
  const foreign = await signals('west')
  const add = async (show: object) => (await app.ask(addWall, { token, body: { name: 'x', show } })).status
  const { frequencyId } = foreign
  expect(await add({ cards: [{ card: 'frequency', frequencyId }], seconds: 20 })).toBe(404)
  expect(await add({ cards: [{ card: 'price', priceSignalId: foreign.priceSignalId }], seconds: 20 })).toBe(404)
  const energy = { card: 'energy' }
  for (const show of [
    { cards: [{ card: 'tags' }], seconds: 20 },
    { cards: [], seconds: 20 },
    { cards: Array.from({ length: limits.wallCards + 1 }, () => energy), seconds: 20 },
    { cards: [energy], seconds: 4 },
    { cards: [energy], seconds: 3601 },
    { cards: [energy], seconds: 20, name: 'x' },
  ])
    expect(await add(show)).toBe(400)
  expect(await add({ cards: [energy], seconds: 20 })).toBe(200)
})
