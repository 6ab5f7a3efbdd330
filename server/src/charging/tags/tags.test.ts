import * as tagCalls from '@gridmast/contract/charging/tags.ts'
import * as sessionCalls from '@gridmast/contract/charging/sessions.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { idOf } from '#platform/records/ids.ts'
import { storedRow } from '#testing/rows.ts'
import { iso, openBench } from '#charging/ledger/charger.fixture.ts'
import { portalTagOf } from '#charging/ledger/directory.ts'

const bench = await openBench(['one', 'two', 'tagged'], [{ tag: 'ANNA' }])
const { app } = bench
const token = await app.tokenOf('sudoer@north.example')
const auditor = await app.tokenOf('auditor@north.example')
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const addTag = (tagID: string, more: object = {}) =>
  app.ask(tagCalls.addChargerTag, { token, body: { name: tagID, tagID, action: true, ...more } })
const choose = (oneSession: boolean) => app.ask(tagCalls.saveChargingChoice, { token, body: { oneSession } })
const begin = { connectorId: 1, idTag: 'ANNA', meterStart: 0 }
const status = ({ payload }: { payload: Record<string, unknown> }) => payload['idTagInfo']

test('C4 with one session per tag a second session of a tag is ConcurrentTx, except for a replay', async () => {
  expect(await app.data(tagCalls.getChargingChoice, { token })).toEqual({ oneSession: false })
  const [one, two] = [await bench.connect('one'), await bench.connect('two')]
  await one.boot()
  await two.boot()
  const { payload } = await one.call('StartTransaction', { ...begin, timestamp: iso(5) })
  expect(status(await two.call('Authorize', { idTag: 'ANNA' }))).toEqual({ status: 'Accepted' })
  expect((await choose(true)).body.message).toBe(m.settingSaved)
  expect(status(await two.call('Authorize', { idTag: 'anna' }))).toMatchObject({ status: 'ConcurrentTx' })
  expect(status(await one.call('Authorize', { idTag: 'ANNA' }))).toMatchObject({ status: 'Accepted' })
  const elsewhere = await two.call('StartTransaction', { ...begin, timestamp: iso(0) })
  expect(status(elsewhere)).toMatchObject({ status: 'ConcurrentTx' })
  const second = await one.call('StartTransaction', { ...begin, connectorId: 2, timestamp: iso(0) })
  expect(status(second)).toMatchObject({ status: 'ConcurrentTx' })
  const replayed = await two.call('StartTransaction', { ...begin, timestamp: iso(3600) })
  expect(status(replayed)).toMatchObject({ status: 'Accepted' })
  const stop = { meterStop: 10, timestamp: iso(0) }
  await two.call('StopTransaction', { ...stop, transactionId: replayed.payload['transactionId'] })
  await one.call('StopTransaction', { ...stop, transactionId: payload['transactionId'] })
  expect(status(await two.call('Authorize', { idTag: 'ANNA' }))).toMatchObject({ status: 'Accepted' })
  await choose(false)
  expect(await app.trail('charging-choice.save')).toHaveLength(2)
})

test('C3 a tag that is switched off reports its running sessions, and each is stopped with the answer of its charger', async () => {
  const [one, two] = [await bench.connect('one'), await bench.connect('two')]
  await one.boot()
  await two.boot()
  await one.call('StartTransaction', { ...begin, timestamp: iso(5) })
  await two.call('StartTransaction', { ...begin, timestamp: iso(4) })
  const [page] = await app.data(tagCalls.findChargerTags, { token })
  const params = { id: page?.tags[0]?._id ?? '' }
  const saved = await app.ask(tagCalls.saveChargerTag, { token, params, body: { action: false } })
  expect(saved.body.data.running).toBe(2)
  await two.close()
  await expect.poll(() => storedRow(app.records, 'charger', { identity: 'two' }, ['online'])).toEqual({ online: false })
  expect((await app.data(sessionCalls.stopTagSessions, { token, params })).stops).toEqual([
    { chargerName: 'one', connectorId: 1, status: 'Accepted', accepted: true },
    { chargerName: 'two', connectorId: 1, status: m.chargerOffline, accepted: false },
  ])
  expect(one.asked.some(({ action }) => action === 'RemoteStopTransaction')).toBe(true)
  const { group } = await app.data(tagCalls.addChargerTagGroup, { token, body: { name: 'Vans', action: true } })
  await app.ask(tagCalls.saveChargerTag, { token, params, body: { groupId: group._id, action: true } })
  const off = { token, params: { id: group._id }, body: { action: false } }
  expect((await app.data(tagCalls.saveChargerTagGroup, off)).running).toBe(2)
  const stopped = await app.ask(sessionCalls.stopGroupSessions, { token, params: { id: group._id } })
  expect(stopped.body.data.stops.map(({ chargerName }) => chargerName)).toEqual(['one', 'two'])
})

test('C4 a tag is stored trimmed and in upper case, and a change of its active flag applies to the next Authorize', async () => {
  const charger = await bench.connect('tagged')
  const asks = async () => (await charger.call('Authorize', { idTag: 'a1b2 ' })).payload
  expect(await asks()).toEqual({ idTagInfo: { status: 'Invalid' } })
  const { body } = await addTag(' a1b2 ')
  expect(body).toMatchObject({ message: m.tagCreated, data: { tag: { tagID: 'A1B2', action: true } } })
  expect(await asks()).toEqual({ idTagInfo: { status: 'Accepted' } })
  const again = await addTag('A1b2')
  expect([again.status, again.body.message]).toEqual([409, m.tagTaken])
  const params = { id: body.data.tag._id }
  const off = await app.ask(tagCalls.saveChargerTag, { token, params, body: { action: false } })
  expect(off.body).toMatchObject({ message: m.tagUpdated, data: { tag: { name: 'a1b2', action: false } } })
  expect(await asks()).toEqual({ idTagInfo: { status: 'Blocked' } })
  expect((await app.ask(tagCalls.removeChargerTag, { token, params })).body.message).toBe(m.tagDeleted)
  expect(await asks()).toEqual({ idTagInfo: { status: 'Invalid' } })
  const actions = (await app.trail('charger-tag.%')).map(({ action }) => action)
  expect(actions.slice(-3)).toEqual(['charger-tag.create', 'charger-tag.update', 'charger-tag.delete'])
})

test('a group that is not active blocks its tags, and deleting it keeps them', async () => {
  const charger = await bench.connect('tagged')
  const { group } = await app.data(tagCalls.addChargerTagGroup, { token, body: { name: 'Lorries', action: true } })
  const groupId = group._id
  const params = { id: groupId }
  const { body: made } = await addTag('VAN1', { groupId })
  expect(made.data.tag.groupData).toEqual({ name: 'Lorries', action: true })
  const asks = async () => (await charger.call('Authorize', { idTag: 'VAN1' })).payload['idTagInfo']
  expect(await asks()).toEqual({ status: 'Accepted', parentIdTag: expect.stringMatching(/^G[0-9A-Z]{1,19}$/) })
  await app.ask(tagCalls.saveChargerTagGroup, { token, params, body: { action: false } })
  expect(await asks()).toMatchObject({ status: 'Blocked' })
  const taken = await app.ask(tagCalls.addChargerTagGroup, { token, body: { name: 'lorries', action: true } })
  expect([taken.status, taken.body.message]).toEqual([409, m.tagGroupTaken])
  expect(await app.data(tagCalls.findChargerTags, { token: auditor, query: { groupId } })).toMatchObject([
    { tags: [{ tagID: 'VAN1' }], totalCount: 1 },
  ])
  expect((await app.data(tagCalls.findChargerTagGroups, { token: auditor })).groups).toMatchObject([
    { name: 'Lorries', tagCount: 1, action: false },
    { name: 'Vans' },
  ])
  await app.ask(tagCalls.removeChargerTagGroup, { token, params })
  expect(await asks()).toEqual({ status: 'Accepted' })
  const { tag } = await app.data(tagCalls.getChargerTag, { token, params: { id: made.data.tag._id } })
  expect(tag).toMatchObject({ groupId: null, groupData: null })
})

test('R3 a tag that is empty, too long or reserved for the portal is refused', async () => {
  for (const tagID of ['', ' ', 'x'.repeat(37), portalTagOf(idOf('customer', 'north'))])
    expect((await addTag(tagID)).status).toBe(400)
})

test('C4 several tags are moved to a group in one act', async () => {
  const tagIds: string[] = []
  for (const tagID of ['MOVE1', 'MOVE2']) tagIds.push((await addTag(tagID)).body.data.tag._id)
  const group = await app.data(tagCalls.addChargerTagGroup, { token, body: { name: 'Moved', action: true } })
  const groupId = group.group._id
  const unknown = '018f0000-0000-7000-8000-000000000000'
  const move = (ids: string[], to: string | null, owner = token) =>
    app.ask(tagCalls.moveChargerTags, { token: owner, body: { ids, groupId: to } })
  expect((await move([...tagIds, unknown], groupId)).body.data).toEqual({
    done: tagIds.toSorted(),
    failed: [{ _id: unknown, message: m.notFound }],
  })
  const names = async () => {
    const [page] = await app.data(tagCalls.findChargerTags, { token, query: { groupId } })
    return page?.tags.map(({ name }) => name)
  }
  expect(await names()).toEqual(['MOVE1', 'MOVE2'])
  expect((await move(tagIds, unknown)).status).toBe(404)
  expect((await move(tagIds, null, auditor)).status).toBe(403)
  expect((await move(tagIds, null, await app.tokenOf('sudoer@west.example'))).status).not.toBe(200)
  expect((await move(tagIds, null)).status).toBe(200)
  expect(await names()).toEqual([])
})
