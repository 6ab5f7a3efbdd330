import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession } from '#access/sessions.ts'
import { hashPassword, verifyPassword } from '#platform/security/password.ts'
import type { Records } from '#platform/records/records.ts'
import { openTestRecords } from '#testing/records.ts'
import { applyProvisioning } from './apply.ts'
import { BadProvisioningFile, readProvisioning } from './read.ts'
import { storedRows } from '#testing/rows.ts'

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
  test('a wrong value is reported with its line, its path and the expected value', () => {
    const problems = problemsOf(file().replace('role: auditor', 'role: boss'))
    expect(problems).toEqual([
      {
        line: 22,
        path: 'customers[0].users[1].role',
        expected: expect.stringContaining('expected one of sudoer, expert'),
      },
    ])
  })

  test('a missing field is reported at the line of its object', () => {
    const [problem] = problemsOf(file().replace('        area: DK2\n', ''))
    expect(problem).toMatchObject({ line: 10, path: 'customers[0].instances[0].area' })
  })

  test('an unknown field, a missing reference and a duplicate key are refused', () => {
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

  test('the line of invalid YAML is reported', () => {
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

  test('a dry run lists the changes and writes nothing', async () => {
    const changes = await applyProvisioning(records, readProvisioning(file()), { dryRun: true })
    expect(changes.length).toBeGreaterThan(5)
    expect((await everything())['customer']).toEqual([])
  })

  test('a transaction that runs again, because another version changed a table, lists each change once', async () => {
    const runsAgain: Records = {
      ...records,
      system: async (work) => {
        const undone = new Error('undone')
        await records
          .system(async (tx) => {
            await work(tx)
            throw undone
          })
          .catch((error: unknown) => {
            if (error !== undone) throw error
          })
        return records.system(work)
      },
    }
    const text = file().replaceAll('nord', 'again').replaceAll('edge-1', 'edge-9')
    const changes = await applyProvisioning(runsAgain, readProvisioning(text), { dryRun: false })
    const names = changes.map(({ table, name }) => `${table} ${name}`)
    expect(names.length).toBeGreaterThan(5)
    expect(new Set(names).size).toBe(names.length)
    expect(await applyProvisioning(records, readProvisioning(text), { dryRun: false })).toEqual([])
  })

  test('a second run changes nothing, including password hashes', async () => {
    await applyProvisioning(records, readProvisioning(file()), { dryRun: false })
    const before = await everything()
    expect(await applyProvisioning(records, readProvisioning(file()), { dryRun: false })).toEqual([])
    expect(await everything()).toEqual(before)
  })

  test('a change lists the column with before and after, and objects removed from the file are disabled', async () => {
    const text = file()
      .replace('kind: cold-store', 'kind: battery')
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
      { sign: '~', customer: 'nord', table: 'instance', name: 'cold', what: 'kind "cold-store" -> "battery"' },
    ])
  })

  test('T2 without a tenant no row is visible, and a tenant sees only its own', async () => {
    const other = file().replaceAll('nord', 'syd').replaceAll('edge-1', 'edge-2')
    await applyProvisioning(records, readProvisioning(other), { dryRun: false })
    const customers = await storedRows(records, 'customer', {}, ['customer_id', 'key'])
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

  describe('changes made in the portal', () => {
    const apply = (text: string, options: { resetPasswords?: boolean } = {}) =>
      applyProvisioning(records, readProvisioning(text), { dryRun: false, ...options })
    const userOf = (role: string) =>
      records.system((tx) =>
        tx
          .selectFrom('app_user as u')
          .innerJoin('customer as c', 'c.customer_id', 'u.customer_id')
          .selectAll('u')
          .where('c.key', '=', 'ost')
          .where('u.role', '=', role)
          .executeTakeFirstOrThrow(),
      )
    const signIn = async () => {
      const { customer_id: customerId, user_id: userId } = await userOf('sudoer')
      const session = { customerId, userId, remembered: false, nowMs: Date.now(), userAgent: undefined, address: '::1' }
      await records.tenant(customerId, (tx) => addSession(tx, session))
    }
    const openSessions = async () => {
      const { user_id } = await userOf('sudoer')
      const open = await storedRows(records, 'user_session', { user_id, ended_at: null }, ['session_id'])
      return open.length
    }
    const ost = file('    address: { primaryContactName: First }\n')
      .replaceAll('nord', 'ost')
      .replaceAll('edge-1', 'edge-3')

    test('profile, password, company profile, second factor and instance survive another run of the file', async () => {
      await apply(ost)
      const chosen = await hashPassword('valgt af mig selv')
      const { customer_id, user_id } = await userOf('sudoer')
      await records.system(async (tx) => {
        await tx
          .updateTable('app_user')
          .set({ email: 'mads@ost.example', name: 'Mads', contact: '31234567', country_code: '+45' })
          .set({ password_hash: chosen, profile_image: 'data:x', totp_confirmed_at: new Date() })
          .where('user_id', '=', user_id)
          .execute()
        await tx
          .updateTable('customer')
          .set({ address: '{"primaryContactName":"Changed"}', second_factor_required: true })
          .where('customer_id', '=', customer_id)
          .execute()
        await tx
          .updateTable('instance')
          .set({ name: 'Cold store', description: 'Ammonia' })
          .where('customer_id', '=', customer_id)
          .execute()
      })
      await signIn()
      const before = await everything()
      expect(await apply(ost)).toEqual([])
      expect(await everything()).toEqual(before)
      expect(await openSessions()).toBe(1)
    })

    test('C4 S1 a changed role of the file is applied, ends the sessions and is on the trail', async () => {
      const changes = await apply(ost.replace('role: auditor', 'role: custom'))
      expect(changes.map((change) => change.what)).toEqual(['role "auditor" -> "custom"'])
      expect(await openSessions()).toBe(1)
      await apply(ost.replace('name: A, role: sudoer', 'name: A, role: sudoer, allowed: { dashboard: true }'))
      expect(await openSessions()).toBe(0)
      expect(await userOf('sudoer')).toMatchObject({ name: 'Mads', email: 'mads@ost.example' })
      const entries = await storedRows(records, 'audit_entry', { action: 'user.provision' })
      expect(entries).toContainEqual(
        expect.objectContaining({
          who: 'provisioning',
          subject: 'b@ost.example',
          before: { role: 'auditor' },
          after: { role: 'custom', sessionsEnded: 0 },
        }),
      )
      expect(entries).toContainEqual(
        expect.objectContaining({
          subject: 'mads@ost.example',
          after: { allowed: { dashboard: true }, sessionsEnded: 1 },
        }),
      )
    })

    test('S1 a password reset by the operator replaces the changed one and ends the sessions', async () => {
      await signIn()
      const changes = await apply(ost, { resetPasswords: true })
      expect(changes).toContainEqual(
        expect.objectContaining({ table: 'app_user', what: expect.stringContaining('password_hash') }),
      )
      expect(JSON.stringify(changes)).not.toContain('argon2id')
      const { password_hash, email } = await userOf('sudoer')
      expect(await verifyPassword('gridmast-demo', password_hash)).toBe(true)
      expect(email).toBe('mads@ost.example')
      expect(await openSessions()).toBe(0)
      const [entry] = await storedRows(records, 'audit_entry', { action: 'user.password-reset' })
      expect(entry?.subject).toBe('mads@ost.example')
      expect(JSON.stringify(entry)).not.toMatch(/argon2id|gridmast-demo/)
      expect(await apply(ost, { resetPasswords: true })).toEqual([])
    })
  })
})
