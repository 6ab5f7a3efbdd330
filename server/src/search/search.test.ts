import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type FoundRow, search } from '@gridmast/contract/search.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTags } from '#charging/ledger/charger.fixture.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { addRows, changeRows, storedRow } from '#testing/rows.ts'

const app = await openTestApp()
afterAll(() => app.close())

const north = idOf('customer', 'north')
const sessionId = '0198c0de-1234-7000-8000-00000000000a'
const tokens = new Map<string, string>()
const tokenOf = async (email: string) => {
  const token = tokens.get(email) ?? (await app.tokenOf(email))
  tokens.set(email, token)
  return token
}
const find = async (q: string, email = 'sudoer@north.example') =>
  (await app.data(search, { token: await tokenOf(email), query: { q } })).found
const kindsOf = (found: readonly FoundRow[]) => [...new Set(found.map(({ kind }) => kind))]
const chargersOf = (found: readonly FoundRow[]) => found.flatMap((row) => (row.kind === 'charger' ? row : []))

const addChargers = async (customer: string, identities: readonly string[]) => {
  const customer_id = idOf('customer', customer)
  const { licence_id } = await storedRow(app.records, 'licence', { customer_id, type: 'evCharging' }, ['licence_id'])
  await addRows(
    app.records,
    'charger',
    identities.map((identity) => ({
      customer_id,
      charger_id: newId(),
      identity,
      name: identity,
      licence_id,
      charger_type: 'AC',
      connectors: 2,
      max_kw: 22,
      security_profile: 1,
      position: 0,
      password_hash: '',
    })),
  )
}

const addSites = (names: readonly string[]) =>
  addRows(
    app.records,
    'charging_site',
    names.map((name) => ({
      customer_id: north,
      site_id: newId(),
      name,
      limit_a: 63,
      fallback_a: 6,
      created_at: new Date(),
    })),
  )

const addNamedTags = async (names: readonly string[]) => {
  for (const name of names) {
    const tag = newId().toUpperCase()
    await addTags(app.records, [{ tag }])
    await changeRows(app.records, 'charger_tag', { tag }, { name })
  }
}

beforeAll(async () => {
  await makeOneOfEach(app)
  await addChargers('north', ['CP-EAST-1', 'CP-EAST-10'])
  await addChargers('west', ['West-CP'])
  await addTags(app.records, [{ tag: 'DK-ANNA-1' }])
  await addSites(['Matrix Yard'])
  await changeRows(app.records, 'charger', { identity: 'CP-EAST-1' }, { name: 'Kølehus Øst', serial_number: 'SN-4711' })
  const [charger] = chargersOf(await find('kølehus'))
  const [tag] = await app.records.system((tx) =>
    tx.selectFrom('charger_tag').select(['tag_id', 'tag']).where('tag', '=', 'DK-ANNA-1').execute(),
  )
  await addRows(app.records, 'charger_transaction', {
    customer_id: north,
    transaction_id: sessionId,
    charger_id: charger?.id ?? '',
    evse_no: 1,
    tag: tag?.tag ?? '',
    tag_id: tag?.tag_id ?? '',
    mode: 'tag',
    state: 'ended',
    started_at: new Date('2026-11-20T22:30:00Z'),
    ended_at: new Date('2026-11-20T23:30:00Z'),
  })
})

test('a charger is found by a part of its name, id and serial number, in any case and order of words', async () => {
  for (const q of ['kølehus', 'ØST KØLE', 'lehus', 'cp-east-1', 'sn-47'])
    expect(chargersOf(await find(q)).map(({ name }) => name)).toContain('Kølehus Øst')
  expect(chargersOf(await find('cp-east')).map(({ identity }) => identity)).toEqual(['CP-EAST-10', 'CP-EAST-1'])
  expect(chargersOf(await find('CP-EAST-1*2'))[0]).toMatchObject({ connectorId: 2 })
  expect(chargersOf(await find('CP-EAST-1*9'))).toEqual([])
})

test('signs of a pattern are text', async () => {
  for (const q of ['%', '_', '\\', "'; drop table charger; --"]) expect(await find(q)).toEqual([])
})

test('sessions are found by charger, tag, local day and the beginning of their id', async () => {
  for (const q of ['kølehus', 'dk-anna', '20.11.2026', '2026-11-20 kølehus', '0198c0de', sessionId.toUpperCase()])
    expect((await find(q)).filter(({ kind }) => kind === 'session')).toEqual([
      expect.objectContaining({ id: sessionId, chargerName: 'Kølehus Øst', startTime: '2026-11-20T22:30:00.000Z' }),
    ])
  expect(kindsOf(await find('21.11.2026 kølehus'))).toEqual([])
  expect(await find('0198c0d')).toEqual([])
})

test('one of each kind is found', async () => {
  expect(kindsOf(await find('matrix')).toSorted()).toEqual([
    'alert',
    'charger',
    'chart-note',
    'meter',
    'note',
    'session',
    'site',
    'tag',
  ])
  expect(kindsOf(await find('57131300'))).toEqual(['meter'])
  expect(await find('20/11/2099 cold')).toEqual([
    expect.objectContaining({ kind: 'bid-request', market: 'FCR-D-INC', startDate: '2099-11-20', status: 'pending' }),
  ])
  expect((await find('fcr-d-inc')).map(({ kind }) => kind)).toContain('bid-request')
  expect((await find('north cold 20.11.2026')).filter(({ kind }) => kind === 'settlement')).toEqual([
    {
      kind: 'settlement',
      instanceId: expect.any(String),
      instanceName: 'North Cold',
      day: '2026-11-20',
      product: 'FCR-D-INC',
    },
  ])
  expect(kindsOf(await find('auditor@north'))).toEqual(['person'])
  expect(kindsOf(await find('@north.example'))).toEqual(['person', 'recipient'])
})

test('at most five rows of a kind, those that begin with the text first', async () => {
  await addChargers('north', ['A-Fleet', ...Array.from({ length: 8 }, (_, i) => `Fleet-${i}`)])
  const found = chargersOf(await find('fleet'))
  expect(found).toHaveLength(limits.searchRows)
  expect(found.map(({ name }) => name)).not.toContain('A-Fleet')
})

test('æ, ø, å and é are found in any case, composed and decomposed, stored and searched', async () => {
  const names = ['Blåbærgårdens Café Øst', 'BLÅBÆRGÅRDENS CAFÉ ØST'].flatMap((name, i) => [
    `${name} ${i}`,
    `${name} D${i}`.normalize('NFD'),
  ])
  await addSites(names)
  await addNamedTags(names)
  await addChargers('north', ['CP-BLUE-0', 'CP-BLUE-1', 'CP-BLUE-2', 'CP-BLUE-3'])
  for (const [i, name] of names.entries())
    await changeRows(app.records, 'charger', { identity: `CP-BLUE-${i}` }, { name })
  for (const q of ['blåbærgårdens café', 'ØST BLÅBÆR', 'gårdens', 'É', 'åRD'])
    for (const form of ['NFC', 'NFD'])
      for (const kind of ['site', 'tag', 'charger'])
        expect(
          (await find(q.normalize(form)))
            .flatMap((row) => (row.kind === kind && 'name' in row ? row.name : []))
            .toSorted(),
          `${kind} by ${q} ${form}`,
        ).toEqual(names.toSorted())
  expect(await find('blåbærgårdens øl')).toEqual([])
})

test('rows that begin with a Danish letter in another case are first', async () => {
  const names = ['A kørsel', 'KØRSEL NORD', 'B kørsel']
  await addSites(names)
  await addNamedTags(names)
  const found = await find('kør')
  for (const kind of ['site', 'tag'])
    expect(found.flatMap((row) => (row.kind === kind && 'name' in row ? row.name : []))).toEqual([
      'KØRSEL NORD',
      'A kørsel',
      'B kørsel',
    ])
})

test('a renamed tag is found by its new name only', async () => {
  await addNamedTags(['Søren'])
  await changeRows(app.records, 'charger_tag', { name: 'Søren' }, { name: 'Åge' })
  expect(kindsOf(await find('ÅGE'))).toEqual(['tag'])
  expect(await find('søren')).toEqual([])
})

test('T1 T2 rows of another customer are not found', async () => {
  expect(await find('kølehus', 'sudoer@west.example')).toEqual([])
  expect(await find(sessionId, 'sudoer@west.example')).toEqual([])
  expect(chargersOf(await find('west-cp'))).toEqual([])
  expect(kindsOf(await find('@north.example', 'sudoer@west.example'))).not.toContain('person')
})

test('R2 a kind is found only by users who may list it', async () => {
  expect(kindsOf(await find('matrix', 'custom@north.example'))).toEqual(['alert', 'chart-note'])
  expect(kindsOf(await find('auditor@north', 'expert@north.example'))).toEqual([])
  expect(kindsOf(await find('matrix', 'auditor@north.example'))).not.toContain('site')
  await changeRows(app.records, 'licence', { type: 'evCharging' }, { enabled: false })
  const unlicensed = await app.tokenOf('expert@north.example')
  const { found } = await app.data(search, { token: unlicensed, query: { q: 'dk-anna' } })
  expect(found).toEqual([])
  await changeRows(app.records, 'licence', { type: 'evCharging' }, { enabled: true })
})

test('hashes of passwords and the SIM of a charger are not searched', async () => {
  await changeRows(
    app.records,
    'charger',
    { identity: 'CP-EAST-1' },
    { iccid: 'sim-8945', password_hash: 'hash-of-a-key' },
  )
  for (const q of ['sim-8945', 'hash-of-a-key']) expect(await find(q)).toEqual([])
})

test.each([
  ['nothing', '', m.required],
  ['spaces', '   ', m.required],
  ['4,000 characters', 'x'.repeat(4000), m.longest(limits.searchLength)],
  ['a control character', 'a\u0000b', m.characters],
])('a search of %s is refused in one sentence', async (_, q, sentence) => {
  const { status, body } = await app.ask(search, { token: await tokenOf('sudoer@north.example'), query: { q } })
  expect([status, body.errors]).toEqual([400, { q: sentence }])
})
