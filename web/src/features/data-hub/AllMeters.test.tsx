import { findMeterGroups, type Meter, type MeterGroup } from '@gridmast/contract/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/user.ts'
import { useState } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectToasts } from '#lib/toast.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { AllMetersTab } from './AllMetersTab.tsx'
import { groupId, priceSignal, someGroup, someMeter, source, twoGroups, unconfigured } from './data-hub.fixture.ts'
import { useMeterDialogs } from './MeterDialogs.tsx'

const toasts: string[] = []
connectToasts(({ message }) => toasts.push(message))
afterEach(() => {
  toasts.length = 0
})

const Tab = () => {
  const [pageNo, setPage] = useState(1)
  const { actions, dialogs } = useMeterDialogs()
  return (
    <main>
      <AllMetersTab page={pageNo} onPage={setPage} {...actions} />
      {dialogs}
    </main>
  )
}

type Answers = Parameters<typeof answerCalls>[0]
type Start = { groups?: MeterGroup[]; role?: User['userRole']; answers?: Answers; language?: 'en' | 'da' }

const tariffs = [
  { _id: '5790001089030:T-C-F-T-N1', owner: 'N1 A/S', code: 'T-C-F-T-N1', name: 'Nettarif C', validFrom: '2026-01-01' },
  {
    _id: '5790000705689:DT_C_01',
    owner: 'Radius Elnet A/S',
    code: 'DT_C_01',
    name: 'Nettarif C time',
    validFrom: '2026-01-01',
  },
]

const open = async ({ groups = twoGroups, role = 'sudoer', answers = {}, language = 'en' }: Start = {}) => {
  const asked = answerCalls({
    [`GET ${findMeterGroups.path}`]: () => ({ data: { groups, source } }),
    'GET /client/data-hub/tariffs': () => ({ data: { tariffs } }),
    ...answers,
  })
  const customerId = {
    license: { dataHub: { enabled: true } },
    taxes: { [priceSignal]: 119.25 },
    powerCost: [{ _id: priceSignal, name: 'DK2 Nordpool', area: 'DK2', kind: 'published' as const }],
  }
  await showAt(
    '/insights/dataHub',
    <UserProvider value={someUser({ userRole: role, customerId })}>
      <Tab />
    </UserProvider>,
    language,
  )
  await expect.element(page.getByRole('table')).toBeVisible()
  await expect.poll(() => page.getByRole('status', { name: /^(Loading|Indlæser)$/ }).elements().length).toBe(0)
  return () => asked.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }))
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const press = (name: string | RegExp) => userEvent.click(button(name))
const field = (name: string) => page.getByRole('textbox', { name })
const dialog = (name: string) => page.getByRole('dialog', { name })
const noDialog = () => expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
const rows = () =>
  page
    .getByRole('row')
    .elements()
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent.trim()))

const one = (meter: Meter) => `/client/data-hub/${groupId(1)}/${meter.id}`
const status = (meter: Meter) => `/client/data-hub/meterStatus/${groupId(1)}/${meter.id}`
const cold = someMeter(1, 'Kølehal A')
const workshop = unconfigured(3, 'Værksted')

describe('the table', () => {
  test('numbers its meters and says key, name and id; actions are for sudoer and expert', async () => {
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
    await expect.element(button('Download')).toBeEnabled()
  })

  test('R1 a custom user who may see the data hub reads it, and that a meter is not configured', async () => {
    await open({ role: 'custom' })
    await expect.element(page.getByText('Not configured').nth(1)).toBeVisible()
    expect(page.getByRole('switch').elements()).toEqual([])
  })

  test('600 meters: 30 a page, two pages at each margin and five around the current one; what is found begins at the first', async () => {
    const many = Array.from({ length: 600 }, (_, i) => someMeter(i + 1, `Meter ${String(i + 1).padStart(3, '0')}`))
    await open({ groups: [someGroup(1, '31245807', null, many)] })
    expect(rows()).toHaveLength(31)
    await press('Page 7')
    await expect.poll(() => rows()[1]?.[0]).toBe('181')
    const shown = button(/^Page \d+$/).elements()
    expect(shown.map(({ textContent }) => textContent)).toEqual(['1', '2', '5', '6', '7', '8', '9', '19', '20'])
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

  test('is searched by key as it is written, by address and number, and narrowed to what is on, off or not configured', async () => {
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

  test('without keys it says so and what to do; a key without meters has a row', async () => {
    await open({ groups: [] })
    await expect.element(page.getByText(m.noRecords)).toBeVisible()
    await expect.element(page.getByText('Add the CVR number of your company to see its meters here.')).toBeVisible()
    await expect.element(button('Download')).toBeDisabled()
  })

  test('a key without meters has a row of its own', async () => {
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

  test('of a meter that is not configured stays off, and the server says why', async () => {
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

describe('Add Key', () => {
  const add = 'POST /client/data-hub'

  test('is required and has eight digits; blanks between them are no fault', async () => {
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
    await expect.poll(changes).toEqual([{ call: add, body: { dataHub: { key: '99000023' } } }])
    await expect.poll(() => toasts).toEqual([m.keyAdded])
    await noDialog()
  })

  test('a number that fails the check is warned of and sent all the same; without an authorisation the sentence stands under it', async () => {
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

  test('is deleted after a Yes to the question that its devices go with it; No changes nothing', async () => {
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

  test('price signal and tax are required, each in its own words; what is saved is what the form says', async () => {
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
  ])('%s are taken', async (_, name, typed, tax) => {
    const changes = await open({ answers: { [`PATCH ${one(cold)}`]: () => ({ data: { meter: cold } }) } })
    await press('Settings of Kølehal A')
    await userEvent.fill(field('Name'), name)
    await userEvent.fill(field('Tax value'), typed)
    await press('Save changes')
    if (tax === null) await expect.element(page.getByText(m.atMost(1_000_000))).toBeVisible()
    else await expect.poll(() => changes()[0]?.body).toEqual({ dataHub: { ...cold.dataHub, name, taxValue: tax } })
  })

  test("a tariff is chosen among those of the grid companies, the meter's own first; one that is no longer published stays", async () => {
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

  test('with unsaved changes it asks before it closes, and keeps what was typed', async () => {
    await open()
    await press('Settings of Kølehal A')
    await userEvent.fill(field('Name'), 'Kølehal 1')
    await userEvent.keyboard('{Escape}')
    const question = dialog('Leave without saving?')
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
    await expect.poll(() => question.elements().length).toBe(0)
    await expect.element(field('Name')).toHaveValue('Kølehal 1')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(question.getByRole('button', { name: 'Leave' }))
    await noDialog()
  })
})
