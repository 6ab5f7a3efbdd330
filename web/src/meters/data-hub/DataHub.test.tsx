import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { meterId, source, twoGroups } from './data-hub.fixture.ts'
import { toasts } from '#testing/toasts.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import DataHub from './DataHub.tsx'

const at = (search = '', userRole: User['userRole'] = 'sudoer') =>
  showAt(
    '/insights/dataHub',
    <UserProvider value={someUser({ userRole, customerId: { license: { dataHub: { enabled: true } } } })}>
      <DataHub />
    </UserProvider>,
    'en',
    search,
  )
const answers = { [`GET ${findMeterGroups.path}`]: () => ({ data: { groups: twoGroups, source } }) }
const list = () => page.getByRole('navigation', { name: 'Meters' })
const meter = (name: RegExp) => list().getByRole('button', { name })

test('tab, date and device are in the address; default meter and tab are omitted', async () => {
  answerCalls(answers)
  const { router } = await at('?date=2026-11-19')
  await expect.element(meter(/Kølehal A/)).toHaveAttribute('aria-current', 'true')
  await userEvent.click(meter(/Fryselager/))
  const search = { date: '2026-11-19', device: meterId(4) }
  await expect.poll(() => router.state.location.search).toEqual(search)
  await userEvent.click(page.getByRole('tab', { name: 'All Meters' }))
  await expect.poll(() => router.state.location.search).toEqual({ ...search, tab: 'allMeters' })
  await expect.element(page.getByRole('table').getByText('Værksted')).toBeVisible()
  router.history.back()
  await expect.element(meter(/Fryselager/)).toHaveAttribute('aria-current', 'true')
  await userEvent.click(meter(/Kølehal A/))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-19' })
})

test('a meter without price signal and tax cannot be selected, with a message', async () => {
  answerCalls(answers)
  const { router } = await at()
  await userEvent.click(meter(/^Switched off Værksted/))
  await expect.poll(() => toasts).toEqual([m.configurationRequired])
  expect(router.state.location.search).toEqual({})
  await expect.element(meter(/Kølehal A/)).toHaveAttribute('aria-current', 'true')
})

test('an address that names such a meter shows the message in its place', async () => {
  answerCalls(answers)
  await at(`?device=${meterId(3)}`)
  await expect.element(page.getByText(m.configurationRequired)).toBeVisible()
})

test('the menu of a meter opens the download of several meters with this one selected', async () => {
  answerCalls(answers)
  await at(`?device=${meterId(4)}`)
  await expect.element(meter(/Fryselager/)).toHaveAttribute('aria-current', 'true')
  await userEvent.click(page.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Several meters …' }))
  const dialog = page.getByRole('dialog', { name: 'Download Excel' })
  await expect.element(dialog.getByRole('checkbox', { name: 'Fryselager' })).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: 'Kølehal A' })).not.toBeChecked()
})
