import { saveLanguage } from '@gridmast/contract/people/profile.ts'
import { afterAll, expect, test } from 'vitest'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'
import { openTestApp } from '#testing/app.ts'
import { northOnly } from '#testing/factories.ts'
import { storedRows } from '#testing/rows.ts'

const app = await openTestApp()
afterAll(() => app.close())

const people = async () =>
  Object.fromEntries(
    (
      await app.records.system((tx) =>
        tx
          .selectFrom('app_user as u')
          .innerJoin('customer as c', 'c.customer_id', 'u.customer_id')
          .select(['u.email', 'u.language', 'c.language as of_customer'])
          .execute(),
      )
    ).map(({ email, language, of_customer }) => [email, [language, of_customer]]),
  )
const choose = async (email: string, language: string) =>
  app.ask(saveLanguage, { token: await app.tokenOf(email), body: { language } })

test('C4 a chosen language is stored with the user and is once on the trail', async () => {
  const before = await people()
  for (const _ of [1, 2]) expect((await choose('custom@north.example', 'da')).status).toBe(200)
  expect(await people()).toEqual({ ...before, 'custom@north.example': ['da', 'en'] })
  const entries = await storedRows(app.records, 'audit_entry', { action: 'profile.language' }, [
    'who',
    'before',
    'after',
  ])
  expect(entries).toEqual([{ who: 'custom@north.example', before: { language: null }, after: { language: 'da' } }])
})

test('R3 another language is refused', async () => {
  expect((await choose('custom@north.example', 'de')).status).toBe(400)
})

test('provisioning sets the language of a company and keeps the choice of a user', async () => {
  await choose('custom@north.example', 'en')
  const file = northOnly('{}').replace('    areas:', '    language: da\n    areas:')
  const changes = await applyProvisioning(app.records, readProvisioning(file), { dryRun: false })
  expect(changes.map(({ what }) => what)).toEqual(['language "en" -> "da"'])
  const after = await people()
  expect([after['custom@north.example'], after['expert@north.example']]).toEqual([
    ['en', 'da'],
    [null, 'da'],
  ])
})
