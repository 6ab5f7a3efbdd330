import { findMeterGroups, type Meter, type MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useUrlState } from '#lib/url-state.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { AllMetersTab } from './AllMetersTab.tsx'
import { groupId, priceSignal, someMeter, source, twoGroups, unconfigured } from './data-hub.fixture.ts'
import { useMeterDialogs } from './meter-actions.tsx'
import { hubSearch } from './search.ts'

const Tab = () => {
  const [search, change] = useUrlState(hubSearch)
  const { actions, dialogs } = useMeterDialogs()
  return (
    <main>
      <AllMetersTab search={search} onSearch={change} {...actions} />
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

export const open = async ({ groups = twoGroups, role = 'sudoer', answers = {}, language = 'en' }: Start = {}) => {
  const requests = answerCalls({
    [`GET ${findMeterGroups.path}`]: () => ({ data: { groups, source } }),
    'GET /client/saved-view': () => ({ data: { views: [] } }),
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
  await expect.poll(() => page.getByRole('status', { name: /^(Loading|Henter)$/ }).elements().length).toBe(0)
  return () => requests.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }))
}

export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
export const press = (name: string | RegExp) => userEvent.click(button(name))
export const field = (name: string) => page.getByRole('textbox', { name })
export const dialog = (name: string) => page.getByRole('dialog', { name })
export const noDialog = () => expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
/** Texts of the cells, without the selection of a row. */
export const rows = () => {
  const all = page
    .getByRole('row')
    .elements()
    .map((row) => [...row.querySelectorAll('th, td')])
  const selection = all.map((cells) => cells.findIndex((cell) => cell.querySelector('[type=checkbox]:not([role])')))
  const at = Math.max(...selection)
  return all.map((cells) => cells.map(({ textContent }) => textContent.trim()).toSpliced(at, at < 0 ? 0 : 1))
}

export const one = (meter: Meter) => `/client/data-hub/${groupId(1)}/${meter.id}`
export const status = (meter: Meter) => `/client/data-hub/meterStatus/${groupId(1)}/${meter.id}`
export const cold = someMeter(1, 'Kølehal A')
export const workshop = unconfigured(3, 'Værksted')
