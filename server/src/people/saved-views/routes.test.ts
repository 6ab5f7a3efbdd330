import { findAudit } from '@gridmast/contract/people/audit.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/people/saved-views.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { sql } from 'kysely'

const app = await openTestApp()
afterAll(() => app.close())
const [sudoer, expert, auditor, west] = await Promise.all(
  ['sudoer@north.example', 'expert@north.example', 'auditor@north.example', 'sudoer@west.example'].map((email) =>
    app.tokenOf(email),
  ),
)
const form = { list: 'events' as const, name: 'Big ones', search: 'deltaLoad=60&sort=start' }
const add = (token: string | undefined, more: object = {}) =>
  app.ask(contract.addSavedView, { token: token ?? '', body: { ...form, ...more } })
const viewsOf = async (token: string | undefined, list: contract.ViewedList = 'events') =>
  (await app.data(contract.findSavedViews, { token: token ?? '', query: { list } })).views
const idOf = async (token: string | undefined, name = form.name) =>
  (await viewsOf(token)).find((view) => view.name === name)?._id ?? ''

beforeEach(() => app.byHand((tx) => sql`delete from saved_view`.execute(tx)))

test('T2 a private view is listed for its owner only, and cannot be changed or deleted by others', async () => {
  expect(await add(auditor)).toMatchObject({ status: 200, body: { message: 'View saved' } })
  expect(await viewsOf(auditor)).toMatchObject([{ name: 'Big ones', shared: false, search: form.search }])
  const id = await idOf(auditor)
  for (const token of [sudoer, expert, west]) {
    expect(await viewsOf(token)).toEqual([])
    const request = { token: token ?? '', params: { id } }
    expect((await app.ask(contract.changeSavedView, { ...request, body: { name: 'Mine' } })).status).toBe(404)
    expect((await app.ask(contract.removeSavedView, request)).status).toBe(404)
    const body = { list: 'events' as const, viewId: id }
    expect((await app.ask(contract.setDefaultView, { token: token ?? '', body })).status).toBe(404)
  }
  expect(await viewsOf(auditor, 'tags')).toEqual([])
})

test('R1 a view of the company is listed for all its users and changed by a sudoer only', async () => {
  expect((await add(expert, { shared: true })).status).toBe(403)
  expect((await add(sudoer, { shared: true })).status).toBe(200)
  const id = await idOf(expert)
  const asked = { token: expert ?? '', params: { id } }
  expect((await app.ask(contract.changeSavedView, { ...asked, body: { name: 'Mine' } })).status).toBe(403)
  expect((await app.ask(contract.removeSavedView, asked)).status).toBe(403)
  expect(await viewsOf(west)).toEqual([])
  await add(expert, { name: 'Own' })
  const own = { token: expert ?? '', params: { id: await idOf(expert, 'Own') } }
  expect((await app.ask(contract.changeSavedView, { ...own, body: { shared: true } })).status).toBe(403)
  const changed = { token: sudoer ?? '', params: { id }, body: { name: 'Large', search: 'deltaLoad=80' } }
  expect((await app.ask(contract.changeSavedView, changed)).body.data).toMatchObject({
    view: { name: 'Large', search: 'deltaLoad=80', shared: true },
  })
  await app.ask(contract.removeSavedView, { token: sudoer ?? '', params: { id } })
  const { entries } = await app.data(findAudit, { token: sudoer ?? '', query: { action: 'saved-view' } })
  expect(entries.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    'saved-view.remove events: Large',
    'saved-view.change events: Big ones',
    'saved-view.add events: Big ones',
  ])
})

test('a list has one default view per user, which ends with the view', async () => {
  await add(sudoer, { shared: true })
  await add(expert, { name: 'Own' })
  const setDefault = (viewId: string | null) =>
    app.ask(contract.setDefaultView, { token: expert ?? '', body: { list: 'events', viewId } })
  const defaults = async (token: string | undefined) =>
    (await viewsOf(token)).filter(({ isDefault }) => isDefault).map(({ name }) => name)
  await setDefault(await idOf(expert))
  expect(await defaults(expert)).toEqual(['Big ones'])
  await setDefault(await idOf(expert, 'Own'))
  expect(await defaults(expert)).toEqual(['Own'])
  expect(await defaults(sudoer)).toEqual([])
  await app.ask(contract.removeSavedView, { token: expert ?? '', params: { id: await idOf(expert, 'Own') } })
  expect(await defaults(expert)).toEqual([])
  await setDefault(await idOf(expert))
  await setDefault(null)
  expect(await defaults(expert)).toEqual([])
  const other = { list: 'tags' as const, viewId: await idOf(expert) }
  expect((await app.ask(contract.setDefaultView, { token: expert ?? '', body: other })).status).toBe(404)
})

test('L1 a name is used once per list and owner; size and number of views are limited', async () => {
  await add(expert)
  expect(await add(expert)).toMatchObject({ status: 400, body: { errors: { name: m.viewExists } } })
  expect((await add(expert, { list: 'tags' })).status).toBe(200)
  expect((await add(sudoer, { shared: true })).status).toBe(200)
  await add(expert, { name: 'Other' })
  const renamed = { token: expert ?? '', params: { id: await idOf(expert, 'Other') }, body: { name: form.name } }
  expect((await app.ask(contract.changeSavedView, renamed)).status).toBe(400)
  for (const wrong of [{ search: 'x'.repeat(2001) }, { name: ' ' }, { name: 'x'.repeat(61) }, { list: 'sessions' }])
    expect((await add(expert, wrong)).status).toBe(400)
  await app.byHand((tx) =>
    sql`insert into saved_view (customer_id, view_id, list, owner_id, name, search)
      select customer_id, gen_random_uuid(), 'events', user_id, 'View ' || n, '' from app_user cross join generate_series(1, ${limits.savedViews - 4}) n
      where email = 'expert@north.example'`.execute(tx),
  )
  const answers = await Promise.all([add(expert, { name: 'a' }), add(expert, { name: 'b' })])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})
