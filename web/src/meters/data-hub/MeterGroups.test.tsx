import { limits } from '@gridmast/contract/limits.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectClean } from '#testing/axe.ts'
import { show } from '#testing/render.tsx'
import { someGroup, someMeter, twoGroups, unconfigured } from './data-hub.fixture.ts'
import { MeterGroups } from './DetailsTab.tsx'
import type { MeterActions } from './meter-actions.tsx'

const draw = async (actions: MeterActions = {}, groups = twoGroups) => {
  const chosen: string[] = []
  await show(
    <main>
      <MeterGroups groups={groups} chosen={undefined} onChoose={(id) => chosen.push(id)} {...actions} />
    </main>,
  )
  return chosen
}
const key = () => page.getByRole('button', { name: /31 24 58 07 Nordhavn/ })
const meter = (name: RegExp) => page.getByRole('listitem').getByRole('button', { name })

/** How long after a click the key was closed. */
const closedAfterMs = async (click: () => Promise<void>) => {
  const button = key().element()
  let clickedMs = 0
  button.addEventListener('click', ({ timeStamp }) => (clickedMs = timeStamp), { once: true })
  const closed = new Promise<number>((resolve) => {
    new MutationObserver(() => resolve(performance.now())).observe(button, { attributeFilter: ['aria-expanded'] })
  })
  await click()
  return (await closed) - clickedMs
}

test('a click on a key opens or closes it, not before 300 ms have passed', async () => {
  await draw({ onEditGroup: () => {} })
  await expect.element(meter(/Kølehal A/)).toBeVisible()
  expect(await closedAfterMs(() => userEvent.click(key()))).toBeGreaterThanOrEqual(limits.doubleClickMs - 1)
  expect(meter(/Kølehal A/).elements()).toEqual([])
  await expect.element(meter(/Fryselager/)).toBeVisible()
})

test('a double click edits the key and leaves it as it is; by keyboard there is a button', async () => {
  const edited: string[] = []
  await draw({ onEditGroup: ({ key: cvr }) => edited.push(cvr) })
  await userEvent.dblClick(key())
  expect(edited).toEqual(['31245807'])
  await expect.element(key()).toHaveAttribute('aria-expanded', 'true')
  ;(page.getByRole('button', { name: 'Edit 38 90 12 44' }).element() as HTMLElement).focus() // a button is an HTML element
  await userEvent.keyboard('{Enter}')
  expect(edited).toEqual(['31245807', '38901244'])
})

test('R2 a user without edit access has no double click and no buttons to add, edit or configure', async () => {
  await draw()
  await userEvent.dblClick(key())
  await expect.element(key()).toHaveAttribute('aria-expanded', 'true')
  for (const name of [/^Edit/, /^Configure/, 'Add Key'])
    expect(page.getByRole('button', { name }).elements()).toEqual([])
  await expect.element(page.getByText('Not configured')).toBeVisible()
})

test('a meter without configuration links to its settings', async () => {
  const opened: string[] = []
  await draw({ onConfigure: ({ dataHub }, { key: cvr }) => opened.push(`${cvr} ${dataHub.name}`) })
  await userEvent.click(page.getByRole('button', { name: 'Configure Værksted' }))
  expect(opened).toEqual(['31245807 Værksted'])
  await expectClean()
})

test('a dot shows how each meter is read', async () => {
  const old = '2026-01-01T00:00:00Z'
  await draw({}, [
    someGroup(1, '31245807', null, [
      someMeter(1, 'Fresh'),
      someMeter(2, 'Old', { lastRead: old }),
      someMeter(3, 'Refused', { problem: 'No access' }),
      someMeter(4, 'Off', { dataHub: { enabled: false } }),
      unconfigured(5, 'New'),
    ]),
  ])
  const dots = page
    .getByRole('listitem')
    .elements()
    .map((item) => item.querySelector('[role=img]')?.getAttribute('aria-label'))
  expect(dots).toEqual(['Up to date', 'No new readings', 'Not readable', 'Switched off', 'Switched off'])
})

test('a key without meters is marked', async () => {
  await draw({}, [someGroup(1, '31245807', null, [])])
  await expect.element(page.getByText('No meters under this key')).toBeVisible()
})

test('300 meters scroll inside the list and are found by name, number, address and key', async () => {
  const many = Array.from({ length: 300 }, (_, i) =>
    someMeter(100 + i, `Pumpe ${i}`, i === 299 ? { dataHub: { address: 'Havnegade 4' } } : {}),
  )
  await draw({}, [someGroup(1, '31245807', 'Nordhavn Frost A/S', many), ...twoGroups.slice(1)])
  await expect.element(page.getByRole('heading', { name: 'Meters 301' })).toBeVisible()
  expect(document.documentElement.scrollHeight).toBeLessThanOrEqual(Math.max(innerHeight, 600))
  const find = page.getByRole('searchbox', { name: 'Find a meter' })
  const found = () => page.getByRole('listitem').elements().length
  for (const [words, count] of [
    ['pumpe 17', 11],
    ['havnegade', 1],
    ['571313174000250004', 1],
    ['38 90', 1],
    ['38901244', 1],
    ['nothing', 0],
  ] as const) {
    await userEvent.fill(find, words)
    await expect.poll(found, { message: words }).toBe(count)
  }
  await expect.element(page.getByText('No meter found')).toBeVisible()
})
