import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@gridmast/contract/people/auth.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { operatorCalls } from '#operator/operator-calls.ts'
import { unpackZip } from '#platform/files/zip.ts'
import { verifyChain } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import { queueMail, letter } from '#platform/messaging/mail.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { erasePerson } from './erase-person.ts'
import { keepExport } from './export-person.ts'
import { addressPattern } from './find-person.ts'
import { personalName, personTables, withoutPeople } from './person-tables.ts'

let app: TestApp
let folder: string
beforeEach(async () => {
  app = await openTestApp()
  folder = await mkdtemp(join(tmpdir(), 'gridmast-person-'))
})
afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all = []
  for await (const item of items) all.push(item)
  return all
}
const textsOf = async (lines: AsyncIterable<{ text: string }>) => (await collect(lines)).map(({ text }) => text)
const erase = (email: string, dryRun = false) => textsOf(operatorCalls(app)['person-erase']({ email, dryRun }))
const exportTo = (file: string, email: string) =>
  textsOf(keepExport(operatorCalls(app)['person-export']({ email }), file))
const customerOf = (key: string) =>
  app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', key).executeTakeFirstOrThrow(),
  )

const email = 'expert@north.example'

/** Rows of the expert of North in tables of several kinds; the name of a tag is the expert's name. */
const addRows = async () => {
  await makeOneOfEach(app)
  const token = await app.signIn(email)
  const { customer_id } = await customerOf('north')
  const ids = await app.records.system(async (tx) => {
    const { user_id } = await tx
      .selectFrom('app_user')
      .select('user_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('app_user')
      .set({ name: 'Eva Expert', contact: '+45 12345678' })
      .where('email', '=', email)
      .execute()
    await tx
      .updateTable('alert')
      .set({ email: 'Expert@North.example' })
      .where('customer_id', '=', customer_id)
      .execute()
    await tx
      .updateTable('alert_trigger')
      .set({ acknowledged_by: email, comment: `Ask ${email}, she knows` })
      .where('customer_id', '=', customer_id)
      .execute()
    await tx.updateTable('operator_statement').set({ taken_by: email }).where('customer_id', '=', customer_id).execute()
    const { instance_id } = await tx
      .selectFrom('instance')
      .select('instance_id')
      .where('customer_id', '=', customer_id)
      .limit(1)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('email_subscription')
      .values({
        customer_id,
        subscription_id: newId(),
        email,
        event_type: 'frr_based',
        instance_id,
        activation: true,
        bid_result: true,
        created_at: new Date(),
      })
      .execute()
    const tag_id = newId()
    const tag = { customer_id, tag_id, tag: 'EVA-TAG-1', name: 'Eva Expert', active: true, created_at: new Date() }
    await tx.insertInto('charger_tag').values(tag).execute()
    const text = { en: `Hello ${email}`, da: `Hej ${email}` }
    await queueMail(tx, { customerId: customer_id, to: email }, letter({ subject: text, body: [text] }))
    await queueMail(tx, { customerId: null, to: 'operator@x.example' }, letter({ subject: text, body: ['Note'] }))
    return { user_id, tag_id }
  })
  return { token, customer_id, ...ids }
}

/** Tables in which a text occurs. */
const tablesWith = async (text: string): Promise<string[]> => {
  const found = []
  for (const table of Object.keys(personTables)) {
    const { rows } = await app.records.owner((db) =>
      sql`select 1 as one from ${sql.table(table)} t where t::text ilike ${`%${text}%`} limit 1`.execute(db),
    )
    if (rows.length > 0) found.push(table)
  }
  return found.toSorted()
}

test('each column that could hold data of a person is named in the list of tables', async () => {
  const { rows } = await app.records.owner((db) =>
    sql<{ table: string; column: string; type: string }>`
      select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1, 2`.execute(db),
  )
  const named = (list: object, table: string): string[] => {
    const entry = (list as Record<string, object | undefined>)[table] ?? []
    return Array.isArray(entry) ? entry : Object.keys((entry as { columns: object }).columns)
  }
  const all = rows.map(({ table, column }) => `${table}.${column}`)
  const missing = rows.filter(
    ({ table, column, type }) =>
      personalName.test(column) &&
      (type === 'uuid' ? /user|by$/.test(column) : /^(text|jsonb|bytea)/.test(type)) &&
      !named(personTables, table).includes(column) &&
      !named(withoutPeople, table).includes(column),
  )
  expect(missing).toEqual([])
  const listed = [personTables, withoutPeople].flatMap((list) =>
    Object.keys(list).flatMap((table) => named(list, table).map((column) => `${table}.${column}`)),
  )
  expect(listed.filter((column) => !all.includes(column))).toEqual([])
  for (const name of ['driver_name', 'mobile_phone', 'home_address', 'approved_by', 'invoice_email'])
    expect(personalName.test(name)).toBe(true)
})

test('an export has every row about the person with headings, and no secret', async () => {
  const { user_id } = await addRows()
  const file = join(folder, 'person.zip')
  const [line] = await exportTo(file, 'EXPERT@north.example')
  expect(line).toMatch(/person\.zip: \d+ bytes, \d+ rows of \d+ tables$/)
  const files = unpackZip(await readFile(file), { maxFiles: 100, maxBytes: 1e7, isIncluded: () => true })
  const read = (name: string) => JSON.parse(files.get(name)?.toString() ?? 'null')
  expect([...files.keys()].toSorted()).toEqual([
    'alert.json',
    'alert_trigger.json',
    'app_user.json',
    'audit_entry.json',
    'charger_tag.json',
    'email_subscription.json',
    'index.json',
    'index.txt',
    'operator_statement.json',
    'outbox.json',
    'user_session.json',
  ])
  expect(read('app_user.json')).toMatchObject({
    heading: 'Account',
    columns: { user_id: 'User id', contact: 'Contact' },
    rows: [{ user_id, email, name: 'Eva Expert' }],
  })
  expect(read('index.json').files).toContainEqual(expect.objectContaining({ file: 'charger_tag.json', rows: 1 }))
  expect(read('outbox.json').rows).toHaveLength(2)
  expect(files.get('index.txt')?.toString()).toContain('Mails queued or sent: 2 rows in outbox.json')
  const everything = [...files.values()].join('')
  expect(everything).not.toMatch(/password_hash|token_sha256|argon2|totp_sealed|sudoer@north/)
  expect((await app.trail('user.export')).map(({ who, subject }) => [who, subject])).toEqual([
    ['operator', 'EXPERT@north.example'],
  ])
})

test('bad input of an export: an unknown address, an existing file, no folder, two exports of one file at once', async () => {
  await expect(exportTo(join(folder, 'x.zip'), 'no@north.example')).rejects.toThrow(
    'Nothing is stored about no@north.example',
  )
  await writeFile(join(folder, 'there.zip'), '')
  await expect(exportTo(join(folder, 'there.zip'), email)).rejects.toThrow('there.zip exists already')
  await expect(exportTo(join(folder, 'no', 'x.zip'), email)).rejects.toThrow('no cannot be written')
  const both = await Promise.allSettled([1, 2].map(() => exportTo(join(folder, 'both.zip'), email)))
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
  const files = unpackZip(await readFile(join(folder, 'both.zip')), {
    maxFiles: 100,
    maxBytes: 1e7,
    isIncluded: () => true,
  })
  expect(files.has('app_user.json')).toBe(true)
})

test('S1 C4 an erasure ends the sessions, removes the account and its mails, and the trail stays whole', async () => {
  const { token, customer_id, tag_id, user_id } = await addRows()
  expect((await app.ask(verify, { token })).status).toBe(200)
  const before = await tablesWith(email)
  expect(before).toEqual(expect.arrayContaining(['alert', 'app_user', 'audit_entry', 'outbox', 'operator_statement']))
  const planned = await erase(email, true)
  expect(planned.at(-1)).toBe('Nothing was changed (dry run)')
  expect(await tablesWith(email)).toEqual(before)
  const lines = await erase(email)
  const pseudonym = /Erased user [0-9A-F]{8}/.exec(lines.join('\n'))?.[0] ?? ''
  expect(lines).toContainEqual('Sessions: 1 row deleted')
  expect(lines).toContainEqual(`Erased: the remaining rows name '${pseudonym}'`)
  expect(await tablesWith(email)).toEqual([])
  expect(await tablesWith(user_id)).toEqual([])
  expect(await tablesWith('Eva Expert')).toEqual([])
  expect(await tablesWith('EVA-TAG-1')).toEqual([])
  await expect.poll(async () => (await app.ask(verify, { token })).status, { timeout: 10_000 }).toBe(401)
  const rows = await app.records.system(async (tx) => ({
    tag: await tx.selectFrom('charger_tag').selectAll().where('tag_id', '=', tag_id).executeTakeFirstOrThrow(),
    alert: await tx.selectFrom('alert').selectAll().where('customer_id', '=', customer_id).executeTakeFirstOrThrow(),
    trigger: await tx
      .selectFrom('alert_trigger')
      .selectAll()
      .where('customer_id', '=', customer_id)
      .executeTakeFirstOrThrow(),
    mails: await tx.selectFrom('mail_outbox').selectAll().where('subject', 'like', '%Erased%').execute(),
  }))
  expect(rows.tag).toMatchObject({ name: pseudonym, active: false })
  expect(rows.alert).toMatchObject({
    email: expect.stringMatching(/^erased-[0-9a-f]{8}@erased\.invalid$/),
    notification: false,
  })
  expect(rows.trigger).toMatchObject({ acknowledged_by: pseudonym, comment: `Ask ${pseudonym}, she knows` })
  expect(rows.mails.map(({ recipient }) => recipient)).toEqual(['operator@x.example'])
  expect(await verifyChain(app.records, customer_id)).toMatchObject({ firstBroken: null })
  expect((await app.trail('auth.login')).map(({ who }) => who)).toContain(pseudonym)
  await expect(erase(email)).rejects.toThrow(`Nothing is stored about ${email}`)
})

test('C4 any other change of an erased trail breaks it', async () => {
  const { customer_id } = await addRows()
  await erase(email)
  const own = (change: string) => app.records.owner((db) => sql.raw(change).execute(db))
  const whole = { firstBroken: null }
  expect(await verifyChain(app.records, customer_id)).toMatchObject(whole)
  const { rows } = await app.records.owner((db) =>
    sql<{ no: number; by: number; after: string }>`
      select entry_no as no, erased_by as by, (select after::text from audit_entry e where e.customer_id = a.customer_id and e.entry_no = a.erased_by) as after
      from audit_entry a where customer_id = ${customer_id} and erased_by is not null order by entry_no limit 1`.execute(
      db,
    ),
  )
  const { no, by, after } = rows[0] ?? { no: 0, by: 0, after: '' }
  const at = (entry: number) => `where customer_id = '${customer_id}' and entry_no = ${entry}`
  const changes: [string, string, string][] = [
    [
      'content of an erased entry',
      `set who = 'x' ${at(no)}`,
      `set who = (select subject from audit_entry ${at(by)}) ${at(no)}`,
    ],
    ['no erasure', `set erased_by = null ${at(no)}`, `set erased_by = ${by} ${at(no)}`],
    ['another erasure', `set erased_by = ${no} ${at(no)}`, `set erased_by = ${by} ${at(no)}`],
    ['the list of the erasure', `set after = '{"erased": {}}' ${at(by)}`, `set after = '${after}' ${at(by)}`],
  ]
  for (const [what, broken, repaired] of changes) {
    await own(`update audit_entry ${broken}`)
    expect(await verifyChain(app.records, customer_id), what).not.toMatchObject(whole)
    await own(`update audit_entry ${repaired}`)
    expect(await verifyChain(app.records, customer_id), `${what}, repaired`).toMatchObject(whole)
  }
  // An ordinary entry cannot pass for an erased one.
  await own(`update audit_entry set erased_by = ${by}, who = 'x' ${at(by + 0)}`)
  expect(await verifyChain(app.records, customer_id)).not.toMatchObject(whole)
})

test('the last sudoer is erased only after another exists; one who is disabled is none', async () => {
  const refused =
    'sudoer@north.example is the last sudoer of the company: provision another sudoer first, then erase this one'
  await expect(erase('sudoer@north.example')).rejects.toThrow(refused)
  const setRole = (role: string, enabled: boolean) =>
    app.records.system((tx) => tx.updateTable('app_user').set({ role, enabled }).where('email', '=', email).execute())
  await setRole('sudoer', false)
  await expect(erase('sudoer@north.example')).rejects.toThrow(refused)
  await setRole('sudoer', true)
  expect((await erase('sudoer@north.example')).at(-2)).toMatch(/^Erased: /)
})

test('an address without an account is erased where it occurs; two users with one name stay apart', async () => {
  const { customer_id } = await addRows()
  await app.records.system((tx) =>
    tx
      .updateTable('operator_statement')
      .set({ taken_by: 'guest@elsewhere.example' })
      .where('customer_id', '=', customer_id)
      .execute(),
  )
  expect(await erase('guest@elsewhere.example')).toContainEqual(
    expect.stringMatching(/^Imported statements: replaced in 1 row/),
  )
  await app.records.system((tx) =>
    tx.updateTable('app_user').set({ name: 'Eva Expert' }).where('email', '=', 'auditor@north.example').execute(),
  )
  const lines = await erase(email)
  expect(lines).toContainEqual('Another user of the company has the same name: rows with the name alone are unchanged')
  const tag = await app.records.system((tx) =>
    tx.selectFrom('charger_tag').selectAll().where('tag', '=', 'EVA-TAG-1').executeTakeFirstOrThrow(),
  )
  expect(tag).toMatchObject({ name: 'Eva Expert', active: true })
})

test.each(['', ' ', 'operator', '@north.example', 'expert@', 'a b@north.example'])(
  '%j is not an address: nothing is exported, erased or replaced',
  async (text) => {
    const before = await tablesWith('operator')
    await expect(erase(text)).rejects.toThrow(`'${text}' is not an email address`)
    await expect(exportTo(join(folder, 'none.zip'), text)).rejects.toThrow('is not an email address')
    expect(await tablesWith('operator')).toEqual(before)
  },
)

test.each([
  ['To: Eva <eva@north.example>.', true],
  ['To: leva@north.example', false],
  ['To: æeva@north.example', false],
  ['To: eva@north.example-two.dk', false],
])('%s: an address is found as a whole only', (text, isFound) => {
  expect(text.search(addressPattern(['eva@north.example'])) !== -1).toBe(isFound)
})

test('an erasure that fails before its commit changes nothing', async () => {
  await addRows()
  const before = await tablesWith(email)
  const failing = erasePerson(app, email, {
    dryRun: false,
    beforeCommit: () => {
      throw new Error('interrupted')
    },
  })
  await expect(collect(failing)).rejects.toThrow('interrupted')
  expect(await tablesWith(email)).toEqual(before)
  expect((await verifyChain(app.records, (await customerOf('north')).customer_id)).firstBroken).toBeNull()
})
