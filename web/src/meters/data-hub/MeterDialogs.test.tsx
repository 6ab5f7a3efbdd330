import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { closeLive, liveStatus } from '#lib/live.ts'
import { tokenStore } from '#lib/session.ts'
import { openStream } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { button, cold, dialog, field, noDialog, one, open, press, rows, workshop } from './all-meters.fixture.tsx'
import { toasts } from '#testing/toasts.ts'
import { groupId, priceSignal, someGroup, someMeter, source, twoGroups } from './data-hub.fixture.ts'

describe('Add Key', () => {
  const add = 'POST /client/data-hub'

  test('is required and has eight digits; blanks between them are valid', async () => {
    const changes = await open({
      answers: { [add]: () => ({ message: m.keyAdded, data: { group: twoGroups[0], warning: null } }) },
    })
    await press('Add Key')
    await userEvent.click(dialog('Add Key').getByRole('button', { name: 'Add Key' }))
    await expect.element(page.getByText('This field is required')).toBeVisible()
    await userEvent.fill(field('Key (CVR)'), '1234567')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(m.cvr)).toBeVisible()
    expect(changes()).toEqual([])
    await userEvent.fill(field('Key (CVR)'), '99 00 00 23')
    await expect.element(page.getByText(m.cvrChecksum)).not.toBeInTheDocument()
    await expectClean()
    await userEvent.keyboard('{Enter}')
    await expect.poll(changes).toMatchObject([{ call: add, body: { dataHub: { key: '99000023' } } }])
    await expect.poll(() => toasts).toEqual([m.keyAdded])
    await noDialog()
  })

  test('a number that fails the check gets a warning and is sent; without an authorisation the message is under the field', async () => {
    const changes = await open({
      answers: {
        [add]: () => ({
          status: 400,
          message: m.invalidInput,
          errors: { 'dataHub.key': m.noAuthorization('99000032') },
        }),
      },
      language: 'da',
    })
    await press('Tilføj nøgle')
    await userEvent.fill(field('Nøgle (CVR)'), '99000032')
    await expect.element(page.getByText(/^Det ligner ikke et gyldigt CVR-nummer/)).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Der er ingen fuldmagt i Eloverblik for CVR 99000032')).toBeVisible()
    await expect.element(field('Nøgle (CVR)')).toHaveFocus()
    expect(changes()).toHaveLength(1)
    expect(toasts).toEqual([])
  })
})

describe('a key with many meters', () => {
  test('shows the progress and the remaining time; with ten per request, the number of received meters', async () => {
    const { stream, tell } = openStream()
    tokenStore.set('gmp_keys')
    const changes = await open({
      answers: { 'POST /client/data-hub': () => new Promise(() => {}), 'GET /client/live': () => ({ stream }) },
    })
    await press('Add Key')
    await userEvent.fill(field('Key (CVR)'), '99000023')
    await userEvent.keyboard('{Enter}')
    const progress = dialog('Add Key').getByRole('status')
    await expect.element(progress).toHaveTextContent('Eloverblik is listing the meters …')
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 25_000)
    await expect.element(dialog('Add Key').getByText(/2\d s so far/)).toBeVisible()
    vi.mocked(Date.now).mockRestore()
    await expect.poll(() => liveStatus.get()).toBe('open')
    tell('progress', { watch: 'another', done: 9, total: 10 })
    tell('progress', { ...Object(changes()[0]?.body), done: 120, total: 300 })
    await expect.element(dialog('Add Key').getByText(/requested ten at a time/)).toBeVisible()
    await expect.element(dialog('Add Key').getByText('120 of 300 meters')).toBeVisible()
    expect(document.body.textContent).not.toContain('9 of 10')
    await expectClean()
    closeLive()
    tokenStore.set(null)
  })
})

describe('a group', () => {
  test('is named', async () => {
    const changes = await open({
      answers: { [`PATCH /client/data-hub/${groupId(1)}`]: () => ({ message: m.configurationUpdated }) },
    })
    await userEvent.click(button('Edit 31 24 58 07 Nordhavn Frost A/S').first())
    await userEvent.fill(field('Name'), 'Frost')
    await press('Save changes')
    await expect
      .poll(changes)
      .toEqual([{ call: `PATCH /client/data-hub/${groupId(1)}`, body: { dataHub: { name: 'Frost' } } }])
    await noDialog()
  })

  test('is deleted after a confirmation that its devices are deleted too; No changes nothing', async () => {
    let groups = twoGroups
    const changes = await open({
      answers: {
        [`GET ${findMeterGroups.path}`]: () => ({ data: { groups, source } }),
        [`DELETE /client/data-hub/${groupId(1)}`]: () => {
          groups = twoGroups.slice(1)
          return { message: m.groupDeleted }
        },
      },
    })
    const ask = async () => {
      await userEvent.click(button('Edit 31 24 58 07 Nordhavn Frost A/S').first())
      await press('Delete')
      await expect
        .element(dialog('Delete this group?').getByText(/Deleting a group also deletes its devices/))
        .toBeVisible()
    }
    await ask()
    await expectClean()
    await press('No')
    await noDialog()
    expect(changes()).toEqual([])
    await ask()
    await press('Yes')
    await expect.poll(changes).toEqual([{ call: `DELETE /client/data-hub/${groupId(1)}`, body: null }])
    await expect.poll(() => toasts).toEqual([m.groupDeleted])
    await noDialog()
    await expect.poll(() => rows().length).toBe(2)
  })
})

describe('meter settings', () => {
  const valid = {
    name: 'Værksted',
    priceSignal,
    taxValue: 119.5,
    tariff: null,
    address: 'Sundkaj 9, 2150 Nordhavn',
    enabled: true,
  }
  const choose = async (label: string, option: string) => {
    await userEvent.click(
      page
        .getByRole('combobox', { name: label })
        .or(page.getByRole('textbox', { name: label }))
        .first(),
    )
    await userEvent.click(page.getByRole('option', { name: option }))
  }

  test('price signal and tax are required, each with its message; the saved values are those of the form', async () => {
    const saved = someMeter(3, 'Værksted')
    const changes = await open({
      answers: { [`PATCH ${one(workshop)}`]: () => ({ message: m.configurationUpdated, data: { meter: saved } }) },
    })
    await press('Configure Værksted')
    await press('Save changes')
    await expect.element(page.getByText(m.priceSignalRequired)).toBeVisible()
    await expect.element(page.getByText(m.required)).toBeVisible()
    expect(changes()).toEqual([])
    await choose('Price signal', 'DK2 Nordpool')
    await expect.element(page.getByText('Your company: 119,25')).toBeVisible()
    await userEvent.fill(field('Tax value'), '119.50')
    await userEvent.tab()
    await expect.element(field('Tax value')).toHaveValue('119,5')
    await expectClean()
    await press('Save changes')
    await expect.poll(changes).toEqual([{ call: `PATCH ${one(workshop)}`, body: { dataHub: valid } }])
    await expect.poll(() => toasts).toEqual([m.configurationUpdated])
    await noDialog()
  })

  test.each([
    ['Tax value', 'twelve', m.decimalOrInteger],
    ['Tax value', '1,2,3', m.decimalOrInteger],
    ['Tax value', '12 kr', m.decimalOrInteger],
    ['Tax value', '-1', m.atLeast(0)],
    ['Tax value', '1,1234567', m.decimals(6)],
    ['Tax value', '', m.required],
    ['Name', 'Four', m.shortest(5)],
    ['Name', 'x'.repeat(65), m.longest(64)],
    ['Name', '', m.required],
  ])('%s "%s": %s', async (label, typed, message) => {
    const changes = await open()
    await press('Settings of Kølehal A')
    await userEvent.fill(field(label), typed)
    await press('Save changes')
    await expect.element(page.getByText(message)).toBeVisible()
    await expect.element(field(label)).toHaveFocus()
    expect(changes()).toEqual([])
  })

  test.each([
    ['fives', 'x'.repeat(5), '0', 0],
    ['sixty-fours', 'x'.repeat(64), '1.234.567,25', null],
    ['a dot', 'Named', '0.5', 0.5],
  ])('%s are valid', async (_, name, typed, tax) => {
    const changes = await open({ answers: { [`PATCH ${one(cold)}`]: () => ({ data: { meter: cold } }) } })
    await press('Settings of Kølehal A')
    await userEvent.fill(field('Name'), name)
    await userEvent.fill(field('Tax value'), typed)
    await press('Save changes')
    if (tax === null) await expect.element(page.getByText(m.atMost(1_000_000))).toBeVisible()
    else await expect.poll(() => changes()[0]?.body).toEqual({ dataHub: { ...cold.dataHub, name, taxValue: tax } })
  })

  test('a tariff is one of the grid companies, the company of the meter first; one that is no longer published stays', async () => {
    const old = someMeter(1, 'Kølehal A', { dataHub: { tariff: '5790000705689:OLD' } })
    const changes = await open({
      groups: [someGroup(1, '31245807', null, [old])],
      answers: { [`PATCH ${one(cold)}`]: () => ({ data: { meter: cold } }) },
    })
    await press('Settings of Kølehal A')
    const tariff = page.getByRole('combobox', { name: 'Tariff' })
    await expect.element(tariff).toHaveValue('5790000705689:OLD')
    await userEvent.click(tariff)
    const options = () =>
      page
        .getByRole('option')
        .elements()
        .map(({ textContent }) => textContent)
    await userEvent.clear(tariff)
    await expect.poll(options).toEqual(['5790000705689:OLD', 'DT_C_01 Nettarif C time', 'T-C-F-T-N1 Nettarif C'])
    await userEvent.click(page.getByRole('option', { name: /DT_C_01/ }))
    await press('Save changes')
    await expect.poll(() => changes()[0]?.body).toMatchObject({ dataHub: { tariff: '5790000705689:DT_C_01' } })
  })

  test('closing with unsaved changes requires a confirmation, and the typed text is kept', async () => {
    await open()
    await press('Settings of Kølehal A')
    await userEvent.fill(field('Name'), 'Kølehal 1')
    await userEvent.keyboard('{Escape}')
    const question = dialog('Leave without saving?')
    await userEvent.click(question.getByRole('button', { name: 'Keep editing' }))
    await expect.poll(() => question.elements().length).toBe(0)
    await expect.element(field('Name')).toHaveValue('Kølehal 1')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(question.getByRole('button', { name: 'Leave' }))
    await noDialog()
  })
})
