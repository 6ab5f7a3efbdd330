import { m } from '@gridmast/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectClean } from '#testing/axe.ts'
import { button, cold, field, open, press, rows, status, workshop } from './all-meters.fixture.tsx'
import { toasts } from '#testing/toasts.ts'
import { someGroup, someMeter, twoGroups } from './data-hub.fixture.ts'

describe('the table', () => {
  test('meters are numbered and have key, name and id; actions are for sudoer and expert', async () => {
    await open()
    expect(rows()[0]).toEqual(['S.No', 'Key/CVR', 'Meter Name', 'Meter Id', 'Actions'])
    expect(
      rows()
        .slice(1)
        .map((row) => row.slice(0, 4)),
    ).toEqual([
      ['1', '31 24 58 07 Nordhavn Frost A/S', 'Kølehal A', '571313174000250001'],
      ['2', '31 24 58 07 Nordhavn Frost A/S', 'Kølehal B', '571313174000250002'],
      ['3', '31 24 58 07 Nordhavn Frost A/S', 'VærkstedConfigure', '571313174000250003'],
      ['4', '38 90 12 44 Esbjerg Kulde ApS', 'Fryselager', '571313174000250004'],
    ])
    await expectClean()
  })

  test.each([
    ['sudoer', true, true],
    ['expert', true, false],
    ['auditor', false, false],
  ] as const)('R1 a %s sees actions: %s, Add Key: %s', async (role, edits, adds) => {
    await open({ role })
    expect(rows()[0]?.includes('Actions')).toBe(edits)
    expect(page.getByRole('switch').elements().length > 0).toBe(edits)
    expect(button(/^(Edit|Configure|Settings)/).elements().length > 0).toBe(edits)
    expect(button('Add Key').elements().length > 0).toBe(adds)
    await expect.element(button('Export')).toBeEnabled()
  })

  test('R1 a custom user with access to the data hub reads it, also that a meter is not configured', async () => {
    await open({ role: 'custom' })
    await expect.element(page.getByText('Not configured').nth(1)).toBeVisible()
    expect(page.getByRole('switch').elements()).toEqual([])
  })

  test('600 meters: 30 a page, two pages at each margin and five around the current one; a search starts at the first page', async () => {
    const many = Array.from({ length: 600 }, (_, i) => someMeter(i + 1, `Meter ${String(i + 1).padStart(3, '0')}`))
    await open({ groups: [someGroup(1, '31245807', null, many)] })
    expect(rows()).toHaveLength(31)
    await press('Page 5')
    await press('Page 7')
    await expect.poll(() => rows()[1]?.[0]).toBe('181')
    const pageButtons = button(/^Page \d+$/).elements()
    expect(pageButtons.map(({ textContent }) => textContent)).toEqual(['1', '2', '5', '6', '7', '8', '9', '19', '20'])
    await press('Page 20')
    await expect.poll(() => rows().at(-1)?.[0]).toBe('600')
    await userEvent.fill(field('Find a meter'), 'meter 29')
    const found = Array.from({ length: 10 }, (_, i) => `Meter 29${i}`)
    await expect
      .poll(() =>
        rows()
          .slice(1)
          .map((row) => row[2]),
      )
      .toEqual(found)
    expect(rows()[1]?.[0]).toBe('1')
  })

  test('the search covers the key as written, address and number, and narrows to on, off or not configured', async () => {
    const off = someMeter(5, 'Kantine', { dataHub: { enabled: false, address: 'Orientkaj 10' } })
    await open({ groups: [...twoGroups, someGroup(3, '99000007', null, [off])] })
    const names = () =>
      rows()
        .slice(1)
        .map((row) => row[2])
    for (const [text, found] of [
      ['38 90 12', ['Fryselager']],
      ['orientkaj', ['Kantine']],
      ['000250002', ['Kølehal B']],
    ] as const) {
      await userEvent.fill(field('Find a meter'), text)
      await expect.poll(names).toEqual(found)
    }
    await userEvent.clear(field('Find a meter'))
    await userEvent.click(page.getByRole('radio', { name: 'Off' }))
    await expect.poll(names).toEqual(['Kantine'])
    await userEvent.click(page.getByRole('radio', { name: 'Not configured' }))
    await expect.poll(names).toEqual(['VærkstedConfigure'])
    await userEvent.fill(field('Find a meter'), 'nowhere')
    await expect.element(page.getByText(m.noRecords)).toBeVisible()
  })

  test('without keys the page explains the next step; a key without meters has a row', async () => {
    await open({ groups: [] })
    await expect.element(page.getByText(m.noRecords)).toBeVisible()
    await expect.element(page.getByText('Add the CVR number of your company to see its meters here.')).toBeVisible()
    await expect.element(button('Export')).toBeDisabled()
  })

  test('a key without meters has its own row', async () => {
    await open({ groups: [someGroup(1, '31245807', 'Nordhavn', [])] })
    expect(rows()[1]).toEqual(['1', '31 24 58 07 Nordhavn', 'No meters under this key', '–', ''])
    await expect.element(button('Edit 31 24 58 07 Nordhavn')).toBeVisible()
  })
})

describe('the switch', () => {
  test('saves at once, and the row shows what the server answered', async () => {
    const off = { ...cold, dataHub: { ...cold.dataHub, enabled: false } }
    const changes = await open({
      answers: { [`PATCH ${status(cold)}`]: () => ({ message: m.configurationUpdated, data: { meter: off } }) },
    })
    const toggle = page.getByRole('switch', { name: 'Kølehal A enabled' })
    await expect.element(toggle).toBeChecked()
    toggle.element().focus()
    await userEvent.keyboard(' ')
    await expect.poll(changes).toEqual([{ call: `PATCH ${status(cold)}`, body: { dataHub: { enabled: false } } }])
    await expect.poll(() => toasts).toEqual([m.configurationUpdated])
  })

  test('a meter without configuration stays off, with the reason of the server', async () => {
    await open({
      answers: { [`PATCH ${status(workshop)}`]: () => ({ status: 409, message: m.configurationRequired }) },
    })
    const toggle = page.getByRole('switch', { name: 'Værksted enabled' })
    toggle.element().focus()
    await userEvent.keyboard(' ')
    await expect.poll(() => toasts).toEqual([m.configurationRequired])
    await expect.element(toggle).not.toBeChecked()
  })
})
