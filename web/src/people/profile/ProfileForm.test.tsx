import type { User } from '@gridmast/contract/people/user.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { accountsStore, endAllSessions, startSession } from '#lib/session.ts'
import { useUser } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { Verified, showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { toasts } from '#testing/toasts.ts'
import { ProfileForm } from './Profile.tsx'

const mads = someUser({
  name: 'Mads Sørensen',
  email: 'mads@nordhavn.example',
  countryCode: '+45',
  contact: '31234567',
})
const sent = {
  name: 'Mads Sørensen',
  email: 'mads@nordhavn.example',
  countryCode: '+45',
  contact: '31234567',
  currentPassword: '',
}
const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='),
  (letter) => letter.charCodeAt(0),
)

afterEach(() => {
  endAllSessions()
})

const Header = () => <header>{useUser().name}</header>
const open = async (user: User = mads, saved: User = user) => {
  let stored = user
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: stored, due: null } }),
    'PUT /user/update-profile': () => {
      stored = saved
      return { message: 'Profile updated successfully!', data: { user: saved, emailToConfirm: null } }
    },
  })
  await showAt(
    '/profile',
    <Verified>
      <Header />
      <ProfileForm />
    </Verified>,
  )
  await expect.element(field('Name')).toBeVisible()
  return () => requests.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body as Record<string, unknown>)
}
const field = (name: string) => page.getByRole('textbox', { name })
const country = () => page.getByRole('combobox', { name: 'Country code' })
const save = () => userEvent.click(page.getByRole('button', { name: 'Save changes' }))
const choose = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no file input')
  const files = new DataTransfer()
  files.items.add(new File([bytes], name, { type: 'image/png' }))
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

describe('each rule shows its message, at both of its ends', () => {
  test.each([
    ['Name', '', 'This field is required'],
    ['Name', 'x'.repeat(101), 'Must be at most 100 characters'],
    ['Email', '', 'This field is required'],
    ['Email', 'mads@nordhavn', 'Value must be a valid email'],
    ['Contact', '', 'This field is required'],
    ['Contact', '123', 'invalid contact number'],
    ['Contact', '1'.repeat(18), 'invalid contact number'],
    ['Contact', '31 23 45 6x', 'invalid contact number'],
  ])('%s "%s"', async (name, value, message) => {
    const puts = await open()
    await userEvent.fill(field(name), value)
    await save()
    await expect.element(page.getByText(message)).toBeVisible()
    await expect.element(field(name)).toHaveFocus()
    expect(puts()).toEqual([])
  })

  test.each([
    ['Name', 'x', 'name'],
    ['Name', 'x'.repeat(100), 'name'],
    ['Email', 'm@n.dk', 'email'],
    ['Contact', '1234', 'contact'],
    ['Contact', '1'.repeat(17), 'contact'],
    ['Contact', '31 23 45 67', 'contact'],
  ])('%s "%s" is valid', async (name, value, key) => {
    const puts = await open()
    await userEvent.fill(field(name), value)
    await save()
    await expect.poll(() => puts().length).toBe(1)
    expect(JSON.parse(String(puts()[0]?.['values']))).toEqual({ ...sent, removeImage: false, [key]: value })
  })

  test('a country code is required', async () => {
    const puts = await open({ ...mads, countryCode: null })
    await save()
    await expect.element(page.getByText('This field is required')).toBeVisible()
    await expect.element(country()).toHaveFocus()
    expect(puts()).toEqual([])
  })
})

describe('picture', () => {
  test.each(['portrait.gif', 'portrait.png.exe', 'portrait'])('%s is refused by its name', async (name) => {
    const puts = await open()
    await choose(name, pixel)
    await expect.element(page.getByText('Please select a valid image format')).toBeVisible()
    await save()
    await expect.poll(() => puts().length).toBe(1)
    expect(puts()[0]?.['profileImage']).toBeUndefined()
  })

  test('one byte over 2 MB is refused, 2 MB are not', async () => {
    await open()
    await choose('large.png', new Uint8Array(2_000_001))
    await expect.element(page.getByText('The image must be at most 2 MB and 16 megapixels')).toBeVisible()
    await choose('large.png', new Uint8Array(2_000_000))
    await expect.element(page.getByText('large.png')).toBeVisible()
    expect(page.getByText('The image must be at most 2 MB and 16 megapixels').elements()).toEqual([])
  })

  test.each(['portrait.jpg', 'portrait.JPEG', 'portrait.png', 'portrait.peg'])(
    '%s is previewed and sent as multipart with the values',
    async (name) => {
      const puts = await open()
      await choose(name, pixel)
      await expect.poll(() => document.querySelector('[role=group] img')).not.toBeNull()
      await save()
      await expect.poll(() => puts().length).toBe(1)
      const file = puts()[0]?.['profileImage']
      expect(file instanceof File && file.name).toBe(name)
      expect(JSON.parse(String(puts()[0]?.['values']))).toEqual({ ...sent, removeImage: false })
    },
  )

  test('an existing one can be removed', async () => {
    const puts = await open({ ...mads, profileImage: `data:image/png;base64,${btoa('x')}` }, mads)
    await userEvent.click(page.getByRole('button', { name: 'Remove' }))
    expect(document.querySelector('[role=group] img')).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Choose picture' })).toHaveFocus()
    await save()
    await expect.poll(() => puts().length).toBe(1)
    expect(JSON.parse(String(puts()[0]?.['values']))).toEqual({ ...sent, removeImage: true })
  })

  test('the message of the server about the picture is under the field', async () => {
    answerCalls({
      'GET /user/verify': () => ({ data: { user: mads, due: null } }),
      'PUT /user/update-profile': () => ({
        status: 400,
        message: 'Some fields are not valid',
        errors: { profileImage: 'Please select a valid image format', email: 'Value must be a valid email' },
      }),
    })
    await showAt(
      '/profile',
      <Verified>
        <ProfileForm />
      </Verified>,
    )
    await save()
    await expect.element(page.getByText('Please select a valid image format')).toBeVisible()
    await expect.element(page.getByText('Value must be a valid email')).toBeVisible()
    expect(toasts).toEqual([])
  })
})

test('a save is confirmed, and applies to the header and the saved account at once', async () => {
  startSession('gmp_a', mads, true)
  await open(mads, { ...mads, name: 'Mads Holm', profileImage: 'data:image/png;base64,eA==' })
  await userEvent.fill(field('Name'), 'Mads Holm')
  await save()
  await expect.element(page.getByRole('banner')).toHaveTextContent('Mads Holm')
  expect(toasts).toEqual(['Profile updated successfully!'])
  expect(accountsStore.get()).toMatchObject([{ name: 'Mads Holm', profileImage: 'data:image/png;base64,eA==' }])
})

describe('unsaved changes', () => {
  const leave = async (router: { history: { push: (path: string) => void } }) => router.history.push('/elsewhere')

  test('require a confirmation before the page is left; none after saving', async () => {
    answerCalls({
      'GET /user/verify': () => ({ data: { user: mads, due: null } }),
      'PUT /user/update-profile': () => ({ data: { user: { ...mads, name: 'Mads Holm' }, emailToConfirm: null } }),
    })
    const { router } = await showAt(
      '/profile',
      <Verified>
        <ProfileForm />
      </Verified>,
    )
    await userEvent.fill(field('Name'), 'Mads Holm')
    await leave(router)
    await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Keep editing' }))
    await expect.element(field('Name')).toHaveValue('Mads Holm')
    await save()
    await expect.poll(() => toasts.length).toBe(1)
    await leave(router)
    await expect.element(page.getByText('at /elsewhere')).toBeVisible()
  })

  test('can be discarded', async () => {
    answerCalls({ 'GET /user/verify': () => ({ data: { user: mads, due: null } }) })
    const { router } = await showAt(
      '/profile',
      <Verified>
        <ProfileForm />
      </Verified>,
    )
    await userEvent.fill(field('Name'), 'Mads Holm')
    await leave(router)
    await userEvent.click(page.getByRole('button', { name: 'Leave' }))
    await expect.element(page.getByText('at /elsewhere')).toBeVisible()
  })
})

test.each(['auditor', 'custom'] as const)('T1 for the role %s the fields are disabled, and why', async (userRole) => {
  await open({ ...mads, userRole })
  for (const name of ['Name', 'Email', 'Contact']) await expect.element(field(name)).toBeDisabled()
  await expect.element(country()).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Choose picture' })).toBeDisabled()
  await expect.element(page.getByText(/Only Sudoer and Expert users can edit profiles/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Save changes' }).elements()).toEqual([])
})

test('the fields of an expert are enabled', async () => {
  await open({ ...mads, userRole: 'expert' })
  await expect.element(field('Name')).toBeEnabled()
})
