import type { Mute } from '@gridmast/contract/notifications/triggered.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { MutesForm } from './MutesForm.tsx'

const cold = { _id: '01930000-0000-7000-8000-000000000011', name: 'Cold store 1' }

const open = async (mutes: Mute[]) => {
  const instances = [{ ...cold, licenseId: '01930000-0000-7000-8000-000000000012', market: ['FCR-D-INC'], area: 'DK2' }]
  const user = someUser({ customerId: { instances } })
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null } }),
    'GET /client/alert/mute': () => ({ data: { mutes } }),
    'PUT /client/alert/mute': ({ body }: { body: unknown }) => ({ data: body }),
    'GET /client/live': () => ({ status: 403 }),
  })
  await showAt(
    '/profile',
    <Verified>
      <main>
        <h1>Profile</h1>
        <MutesForm />
      </main>
    </Verified>,
  )
  return () => requests.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body)
}
const save = () => userEvent.click(page.getByRole('button', { name: 'Save muted times' }))

test('a bell that is never muted is described so; a night is added and saved', async () => {
  const sent = await open([])
  await expect.element(page.getByText('No muted times.')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Add a time' }))
  await expectClean()
  await save()
  await expect.poll(sent).toEqual([{ mutes: [{ startTime: '22:00', endTime: '06:00' }] }])
})

test('an invalid hour is reported under its field, and a time can be removed', async () => {
  const sent = await open([{ instanceId: cold._id, startTime: '08:00', endTime: '09:00' }])
  await expect.element(page.getByRole('combobox', { name: 'Instance' })).toHaveValue('Cold store 1')
  await userEvent.fill(page.getByRole('textbox', { name: 'To' }), '25:00')
  await save()
  await expect.element(page.getByRole('textbox', { name: 'To' })).toHaveAttribute('aria-invalid', 'true')
  await userEvent.click(page.getByRole('button', { name: 'Remove muted time 1' }))
  await save()
  await expect.poll(sent).toEqual([{ mutes: [] }])
})
