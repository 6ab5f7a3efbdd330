import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Records } from '#platform/records.ts'
import { openTestRecords } from '#testing/records.ts'
import { applyProvisioning } from './apply.ts'
import { BadProvisioningFile, readProvisioning } from './read.ts'

const file = (more = '') => `
customers:
  - key: nord
    name: Nord
    licences:
      - { type: FCR-D-INC, name: FCR-D-INC }
    edges:
      - { key: edge-1, name: Edge, password: gridmast-demo }
    instances:
      - key: cold
        name: Cold
        licence: FCR-D-INC
        edge: edge-1
        markets: [FCR-D-INC]
        area: DK2
        kind: cold-store
        flexibleKw: 420
    frequency:
      - { key: dk2, name: DK2, area: DK2, instance: cold }
    users:
      - { email: a@nord.example, name: A, role: sudoer, password: gridmast-demo }
      - { email: b@nord.example, name: B, role: auditor, password: gridmast-demo }
${more}`

const problemsOf = (text: string) => {
  try {
    readProvisioning(text)
  } catch (error) {
    if (error instanceof BadProvisioningFile) return error.problems
    throw error
  }
  return []
}

describe('reading a file', () => {
  test('a wrong value is named with its line, its place and what was expected', () => {
    const problems = problemsOf(file().replace('role: auditor', 'role: boss'))
    expect(problems).toEqual([
      {
        line: 22,
        path: 'customers[0].users[1].role',
        expected: expect.stringContaining('expected one of sudoer, expert'),
      },
    ])
  })

  test('a missing field is named at the line of the thing that lacks it', () => {
    const [problem] = problemsOf(file().replace('        area: DK2\n', ''))
    expect(problem).toMatchObject({ line: 10, path: 'customers[0].instances[0].area' })
  })

  test('an unknown field, a reference that leads nowhere and a repeated key are refused', () => {
    expect(problemsOf(file().replace('name: Edge', 'nam: Edge')).map((problem) => problem.line)).toContain(8)
    expect(problemsOf(file().replace('edge: edge-1\n', 'edge: edge-9\n'))).toEqual([
      { line: 13, path: 'customers[0].instances[0].edge', expected: 'expected the key of an edge: edge-1' },
    ])
    expect(
      problemsOf(
        file(
          '    priceSignals:\n      - { key: x, name: X, area: DK1, taxDkkPerMwh: "1" }\n      - { key: x, name: Y, area: DK1, taxDkkPerMwh: "1" }\n',
        ),
      ),
    ).toMatchObject([{ line: 25, path: 'customers[0].priceSignals[1].key' }])
  })

  test('text that is not YAML names the line', () => {
    expect(problemsOf('customers:\n  - key: [a\n    name: x\n')[0]).toMatchObject({
      line: expect.any(Number),
      expected: expect.stringContaining('YAML'),
    })
  })

  test('two customers cannot share an edge or an e-mail address', () => {
    const second = file().replace('\ncustomers:\n', '').replace('key: nord', 'key: south')
    expect(problemsOf(file(second)).map((problem) => problem.expected)).toEqual([
      expect.stringContaining('edge edge-1 is used by another customer'),
      expect.stringContaining('user a@nord.example is used by another customer'),
      expect.stringContaining('user b@nord.example is used by another customer'),
    ])
  })
})

describe('applying a file', () => {
  let records: Records
  beforeAll(async () => {
    records = await openTestRecords()
  })
  afterAll(() => records.close())

  const tables = ['customer', 'app_user', 'licence', 'edge', 'instance', 'signal', 'frequency_signal', 'price_signal']
  const everything = () =>
    records.system(async (tx) => {
      const all: Record<string, unknown> = {}
      for (const table of tables)
        all[table] = (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(tx)).rows
      return all
    })

  test('a dry run lists what would change and writes nothing', async () => {
    const changes = await applyProvisioning(records, readProvisioning(file()), { dryRun: true })
    expect(changes.length).toBeGreaterThan(5)
    expect((await everything())['customer']).toEqual([])
  })

  test('a second run changes nothing, not even a password hash', async () => {
    await applyProvisioning(records, readProvisioning(file()), { dryRun: false })
    const before = await everything()
    expect(await applyProvisioning(records, readProvisioning(file()), { dryRun: false })).toEqual([])
    expect(await everything()).toEqual(before)
  })

  test('a change says the column with its value before and after; what is no longer named is disabled', async () => {
    const text = file()
      .replace('name: Cold', 'name: Colder')
      .replace('      - { email: b@nord.example, name: B, role: auditor, password: gridmast-demo }\n', '')
    const changes = await applyProvisioning(records, readProvisioning(text), { dryRun: false })
    expect(changes).toEqual([
      {
        sign: '-',
        customer: 'nord',
        table: 'app_user',
        name: 'b@nord.example',
        what: 'disabled, no longer in the file',
      },
      { sign: '~', customer: 'nord', table: 'instance', name: 'cold', what: 'name "Cold" -> "Colder"' },
    ])
  })

  test('T2 without a tenant there are no rows, and a tenant sees its own only', async () => {
    const other = file().replaceAll('nord', 'syd').replaceAll('edge-1', 'edge-2')
    await applyProvisioning(records, readProvisioning(other), { dryRun: false })
    const customers = await records.system((tx) => tx.selectFrom('customer').select(['customer_id', 'key']).execute())
    const syd = customers.find((row) => row.key === 'syd')
    const seen = await records.tenant(syd?.customer_id ?? '', (tx) =>
      tx.selectFrom('app_user').select('email').execute(),
    )
    expect(seen.map((row) => row.email).toSorted()).toEqual(['a@syd.example', 'b@syd.example'])
    expect(await records.tenant('', (tx) => tx.selectFrom('instance').selectAll().execute())).toEqual([])
    await expect(
      records.tenant(syd?.customer_id ?? '', (tx) =>
        tx
          .insertInto('licence')
          .values({
            customer_id: customers.find((row) => row.key === 'nord')?.customer_id ?? '',
            licence_id: syd?.customer_id ?? '',
            type: 'x',
            name: 'x',
            icon: 'x',
            enabled: true,
          })
          .execute(),
      ),
    ).rejects.toThrow(/row-level security/)
  })
})
