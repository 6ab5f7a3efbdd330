import type { PushDevice } from '@gridmast/contract/people/push-devices.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { PushDevices } from './PushDevices.tsx'

const idOfSession = '01930000-0000-7000-8000-000000000031'
const idOfPhone = '01930000-0000-7000-8000-000000000021'
const phone: PushDevice = {
  _id: idOfPhone,
  current: false,
  userAgent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  createdAt: '2026-11-20T08:00:00Z',
}

const open = async (devices: PushDevice[]) => {
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: someUser({}), due: null } }),
    'GET /client/push-device': () => ({ data: { publicKey: 'BA', session: idOfSession, devices } }),
    [`POST /client/push-device/${idOfPhone}/test`]: () => ({}),
    [`DELETE /client/push-device/${idOfPhone}`]: () => ({}),
    'GET /client/live': () => ({ status: 403 }),
  })
  await showAt(
    '/profile',
    <Verified>
      <main>
        <h1>Profile</h1>
        <PushDevices />
      </main>
    </Verified>,
  )
  return () => requests.map(({ call }) => call).filter((call) => !call.startsWith('GET'))
}

test('another device is tested and removed; this one is off', async () => {
  const sent = await open([phone])
  await expect.element(page.getByRole('switch', { name: 'Notifications on this device' })).not.toBeChecked()
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Send a test to Chrome on Android' }))
  await userEvent.click(page.getByRole('button', { name: 'Remove Chrome on Android' }))
  await expect
    .poll(sent)
    .toEqual([`POST /client/push-device/${idOfPhone}/test`, `DELETE /client/push-device/${idOfPhone}`])
})

test('the switch of this device is on, and it removes the device', async () => {
  const sent = await open([{ ...phone, current: true }])
  const choice = page.getByRole('switch', { name: 'Notifications on this device' })
  await expect.element(choice).toBeChecked()
  await userEvent.click(choice)
  await expect.poll(sent).toEqual([`DELETE /client/push-device/${idOfPhone}`])
})
