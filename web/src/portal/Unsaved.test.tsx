import type { Instance } from '@gridmast/contract/people/instances.ts'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AlertsTab } from '#delivery/alerts/AlertsTab.tsx'
import { RegisterDialog } from '#charging/fleet/UnknownChargers.tsx'
import { AddKeyDialog, KeyDialog } from '#meters/data-hub/MeterDialogs.tsx'
import { someGroup } from '#meters/data-hub/data-hub.fixture.ts'
import { EditInstance } from '#delivery/instances/EditInstance.tsx'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'

const id = '01930000-0000-7000-8000-000000000001'
const nothing = () => {}
const instance: Instance = {
  _id: id,
  name: 'Nordhavn Køl 1',
  description: '',
  licenseId: id,
  market: ['FCR-D-INC'],
  bidActive: true,
  enabled: true,
  simulated: true,
  edgeLastReported: null,
  edgeDetails: { _id: id, deviceId: 'edge-nf-01', market: ['FCR-D-INC'], properties: { codeVersion: null } },
  signalData: [],
  properties: { frequencySignal: null, fcr: { enabled: false, decreased: false, increased: false } },
}

const dialogs: [name: string, field: string, screen: ReactNode][] = [
  [
    'Create Alerts',
    'Name',
    <AlertsTab
      key="alert"
      licence={{ _id: id, groups: [{ _id: id, name: 'Cold store' }] }}
      search={{ createAlertModal: true }}
      onSearch={nothing}
    />,
  ],
  ['Register a charger', 'Name', <RegisterDialog key="charger" identity="" onClose={nothing} />],
  ['Add Key', 'Key (CVR)', <AddKeyDialog key="key" opened onClose={nothing} />],
  [
    'Edit group 31 24 58 07',
    'Name',
    <KeyDialog key="group" group={someGroup(1, '31245807', null, [])} onClose={nothing} />,
  ],
  ['Edit instance', 'Name', <EditInstance key="instance" instance={instance} onClose={nothing} />],
]

test.each(dialogs)(
  '“%s” asks before typed text is lost, closed or left for another page',
  async (name, label, screen) => {
    answerCalls({ [`GET /client/data/alert/all/${id}`]: () => ({ data: { alerts: [], totalCount: 0 } }) })
    const { router } = await showAt('/here', <UserProvider value={someUser()}>{screen}</UserProvider>)
    const field = page.getByRole('dialog', { name, exact: true }).getByRole('textbox', { name: label, exact: true })
    await userEvent.fill(field, '123')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    for (const leave of [() => userEvent.keyboard('{Escape}'), () => void router.navigate({ href: '/elsewhere' })]) {
      await leave()
      await userEvent.click(question.getByRole('button', { name: 'Keep editing' }))
      await expect.element(question).not.toBeInTheDocument()
      await expect.element(field).toHaveValue('123')
    }
    void router.navigate({ href: '/elsewhere' })
    await userEvent.click(question.getByRole('button', { name: 'Leave' }))
    await expect.element(page.getByText('at /elsewhere')).toBeVisible()
  },
)
