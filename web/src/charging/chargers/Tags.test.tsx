import { m } from '@gridmast/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { someGroup as group, someTag as tag } from '#testing/samples.ts'
import { button, dialog, open } from './open-ev-charging.tsx'
import { toasts } from '#testing/toasts.ts'

describe('Tag', () => {
  test('the active flag saves at once', async () => {
    const { changes } = await open('?tab=tag', {
      more: { [`PATCH /client/evc/tag/${tag._id}`]: () => ({ message: m.tagUpdated, data: { tag, running: 0 } }) },
    })
    await userEvent.click(page.getByRole('switch', { name: 'Lene Ravn active' }))
    await expect.poll(changes).toMatchObject([{ body: { action: false } }])
    await expect.poll(() => toasts).toEqual(['Tag Updated Successfully'])
    await expectClean()
  })

  test('C3 a tag that is switched off during sessions offers to stop them, and each charger has its own answer', async () => {
    const stops = [
      { chargerName: 'Port 1', connectorId: 2, status: 'Accepted', accepted: true },
      { chargerName: 'Port 2', connectorId: 1, status: m.chargerOffline, accepted: false },
    ]
    const { changes } = await open('?tab=tag', {
      more: {
        [`PATCH /client/evc/tag/${tag._id}`]: () => ({ message: m.tagUpdated, data: { tag, running: 2 } }),
        [`POST /client/evc/tag/${tag._id}/stop`]: () => ({ data: { stops } }),
      },
    })
    await userEvent.click(page.getByRole('switch', { name: 'Lene Ravn active' }))
    const question = page.getByRole('dialog', { name: 'Stop 2 running sessions too?' })
    await expect.element(question.getByRole('button', { name: 'Keep running' })).toBeVisible()
    expect(changes()).toHaveLength(1)
    await expectClean()
    await userEvent.click(question.getByRole('button', { name: 'Stop sessions' }))
    await expect.element(question.getByText('Port 2 · 1')).toBeVisible()
    await expect.element(question.getByText(m.chargerOffline)).toBeVisible()
  })

  test('C3 the form that switches a tag off offers it too; an inactive tag does not', async () => {
    await open('?tab=tag', {
      more: { [`PATCH /client/evc/tag/${tag._id}`]: () => ({ message: m.tagUpdated, data: { tag, running: 2 } }) },
    })
    const edit = async () => {
      await userEvent.click(button('Edit Lene Ravn'))
      await userEvent.click(dialog.getByRole('switch', { name: /^Active/ }))
      await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
    }
    await edit()
    const question = page.getByRole('dialog', { name: 'Stop 2 running sessions too?' })
    await userEvent.click(question.getByRole('button', { name: 'Keep running' }))
    await expect.element(question).not.toBeInTheDocument()
    await userEvent.click(button('Edit Lene Ravn'))
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Lene')
    await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
    await expect.poll(() => dialog.elements().length).toBe(0)
  })

  test('the server sorts and searches, the address keeps both, and the first page is shown', async () => {
    const { router } = await open('?tab=tag&page=2', { total: 40 })
    const requests = () => fetched().findLast((path) => path.startsWith('/api/client/evc/tag?'))
    const head = page.getByRole('table', { name: 'Tags' }).getByRole('button', { name: 'Created At' })
    await userEvent.click(head)
    await expect.poll(requests).toBe('/api/client/evc/tag?sort=created&order=asc&limit=15&skip=0')
    await userEvent.click(head)
    await expect.poll(requests).toBe('/api/client/evc/tag?sort=created&order=desc&limit=15&skip=0')
    await expect
      .element(page.getByRole('columnheader', { name: 'Created At' }))
      .toHaveAttribute('aria-sort', 'descending')
    await userEvent.fill(page.getByRole('textbox', { name: 'Search' }), 'lene')
    await expect.poll(requests).toBe('/api/client/evc/tag?search=lene&sort=created&order=desc&limit=15&skip=0')
    expect(router.state.location.search).toEqual({ tab: 'tag', search: 'lene', sort: 'created', order: 'desc' })
    await userEvent.click(head)
    await expect.poll(requests).toBe('/api/client/evc/tag?search=lene&limit=15&skip=0')
    await expect
      .element(page.getByRole('table', { name: 'Tags' }).getByRole('button', { name: 'Budget' }))
      .not.toBeInTheDocument()
  })

  test('the filter of the transactions finds a tag by text on the server', async () => {
    await open('?tab=transactions', { total: 400 })
    const field = page.getByRole('form', { name: 'Filter of the transactions' })
    const select = field.getByRole('combobox', { name: 'Tag', exact: true })
    await userEvent.click(select)
    await userEvent.fill(select, '04a2')
    await expect.poll(fetched).toContain('/api/client/evc/tag?limit=100&search=04a2')
    await userEvent.click(page.getByRole('option', { name: 'Lene Ravn · 04A219B7' }))
    await userEvent.click(button('Submit'))
    await expect.poll(() => fetched().some((path) => path.includes(`/evc/transaction?tagId=${tag._id}`))).toBe(true)
  })

  test('one session for each tag is a switch of the company', async () => {
    const { changes } = await open('?tab=tag', {
      more: { 'PATCH /client/evc/choice': () => ({ message: m.settingSaved }) },
    })
    await userEvent.click(page.getByRole('switch', { name: 'One session for each tag' }))
    await expect.poll(changes).toMatchObject([{ call: 'PATCH /client/evc/choice', body: { oneSession: true } }])
  })

  test('name and ID are required; a new tag is sent, and closing takes the parameter out of the address', async () => {
    const { changes, router } = await open('?tab=tag&createTagModal=true', {
      more: { 'POST /client/evc/tag': () => ({ message: m.tagCreated, data: { tag } }) },
    })
    await userEvent.click(dialog.getByRole('button', { name: 'Create tag' }))
    await expect.poll(() => dialog.getByText(m.required).elements().length).toBe(2)
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Ny bil')
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Tag ID' }), '0123456789012345678901')
    await expect.element(dialog.getByText('More than 20 characters: for OCPP 2.0.1 chargers only.')).toBeVisible()
    await expectClean()
    await userEvent.click(dialog.getByRole('button', { name: 'Create tag' }))
    await expect.poll(changes).toMatchObject([
      {
        call: 'POST /client/evc/tag',
        body: {
          name: 'Ny bil',
          tagID: '0123456789012345678901',
          action: true,
          groupId: null,
          properties: { chargingType: 'tagId' },
        },
      },
    ])
    await expect.poll(() => toasts).toEqual(['Tag Created Successfully'])
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'tag' })
  })

  test('a refused ID is said at its field', async () => {
    await open('?tab=tag&createTagModal=true', {
      more: { 'POST /client/evc/tag': () => ({ status: 409, message: m.tagTaken, errors: { tagID: m.tagTaken } }) },
    })
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Ny bil')
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Tag ID' }), '04A219B7')
    await userEvent.click(dialog.getByRole('button', { name: 'Create tag' }))
    await expect.element(dialog.getByText(m.tagTaken)).toBeVisible()
    expect(toasts).toEqual([])
  })

  test('a tag is deleted when the page is left', async () => {
    const { changes } = await open('?tab=tag', {
      more: { [`DELETE /client/evc/tag/${tag._id}`]: () => ({ message: m.tagDeleted }) },
    })
    await userEvent.click(button('Delete Lene Ravn'))
    await expect.poll(() => toasts).toEqual(['Tag Deleted!'])
    expect(changes()).toEqual([])
    window.dispatchEvent(new Event('pagehide'))
    await expect.poll(() => changes()).toHaveLength(1)
  })

  test('groups: a sub-tab in the address, the flag saves at once, and a group leads to its tags', async () => {
    const { router, changes } = await open('?tab=tag', {
      more: {
        [`PATCH /client/evc/group/${group._id}`]: () => ({ message: m.tagGroupUpdated, data: { group, running: 0 } }),
      },
    })
    await userEvent.click(page.getByRole('radio', { name: 'Group' }))
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'tag', subTab: 'group' })
    await userEvent.click(page.getByRole('switch', { name: 'Vans active' }))
    await expect.poll(changes).toMatchObject([{ body: { action: false } }])
    await expect.poll(() => toasts).toEqual(['Tag Group Updated Successfully'])
    await userEvent.click(button('Tags of Vans: 1'))
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'tag', groupId: group._id })
    await expect
      .poll(() => fetched().some((path) => path.includes(`/evc/tag?groupId=${group._id}&limit=15&skip=0`)))
      .toBe(true)
  })

  test.each(['auditor', 'custom'] as const)('R1 the %s changes no tag', async (who) => {
    await open('?tab=tag', { who })
    await expect.element(page.getByText('Lene Ravn')).toBeVisible()
    expect(page.getByRole('switch').elements()).toEqual([])
    expect(button(/Create tag|Edit|Delete/).elements()).toEqual([])
  })
})
