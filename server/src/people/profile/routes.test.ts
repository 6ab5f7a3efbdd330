import { m } from '@gridmast/contract/messages.ts'
import { profile, updateProfile } from '@gridmast/contract/people/profile.ts'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'

const app = await openTestApp()
afterAll(() => app.close())

const form = { name: 'Mads Holm', email: 'expert@north.example', contact: '31 23 45 67', countryCode: '+45' }
const drawn = sharp({ create: { width: 300, height: 200, channels: 3, background: '#0b2545' } })
const picture = async (name = 'me.png', bytes?: Buffer) => ({
  field: 'profileImage',
  name,
  bytes: new Uint8Array(bytes ?? (await drawn.clone().png().toBuffer())),
})
const trail = (action: string) =>
  app.records.system((tx) =>
    tx.selectFrom('audit_entry').selectAll().where('action', '=', action).orderBy('entry_no', 'desc').execute(),
  )

describe('PUT /user/update-profile', () => {
  test('the own fields are changed and the answer is the profile', async () => {
    const token = await app.tokenOf('expert@north.example')
    const answer = await app.ask(updateProfile, { token, body: form })
    expect(answer.body).toMatchObject({
      success: true,
      message: 'Profile updated successfully!',
      data: { user: { name: 'Mads Holm', contact: '31 23 45 67', countryCode: '+45', profileImage: null } },
    })
    expect(answer.body.data).toEqual({ ...Object(await app.data(profile, { token })), emailToConfirm: null })
  })

  test('C4 before and after are on the audit trail, the picture only as changed', async () => {
    const token = await app.tokenOf('expert@north.example')
    await app.ask(updateProfile, { token, body: { ...form, name: 'M. Holm' }, file: await picture() })
    const [entry] = await trail('profile.update')
    expect(entry).toMatchObject({
      who: 'expert@north.example',
      result: 'ok',
      before: { name: 'Mads Holm', contact: '31 23 45 67' },
      after: { name: 'M. Holm', profileImage: 'changed' },
    })
    expect(JSON.stringify(entry)).not.toContain('base64')
  })

  test('a picture is stored with the form, kept without one and removed on request', async () => {
    const token = await app.tokenOf('expert@north.example')
    const image = async () => (await app.ask(profile, { token })).text.match(/"profileImage":(null|"[^"]{0,40})/)?.[1]
    for (const name of ['a.jpg', 'a.PNG', 'a.peg', 'a.jpeg']) {
      await app.ask(updateProfile, { token, body: { ...form, removeImage: true } })
      expect(await image()).toBe('null')
      expect((await app.ask(updateProfile, { token, body: form, file: await picture(name) })).status).toBe(200)
      expect(await image()).toMatch(/^"data:image\/jpeg;base64,/)
    }
    await app.ask(updateProfile, { token, body: form })
    expect(await image()).toMatch(/^"data:image\/jpeg;base64,/)
  })

  test.each([
    ['another ending', 'me.gif', undefined],
    ['no ending', 'png', undefined],
    ['HTML named .png', 'me.png', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG named .png', 'me.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', 'me.png', Buffer.alloc(0)],
  ])('L1 a picture with %s is refused', async (_, name, bytes) => {
    const token = await app.tokenOf('expert@north.example')
    const answer = await app.ask(updateProfile, { token, body: form, file: await picture(name, bytes) })
    expect([answer.status, answer.body.errors]).toEqual([400, { profileImage: 'Please select a valid image format' }])
  })

  test('L1 a picture of more than 16 megapixels is refused', async () => {
    const token = await app.tokenOf('expert@north.example')
    const bytes = await sharp({ create: { width: 4001, height: 4000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const answer = await app.ask(updateProfile, { token, body: form, file: await picture('me.png', bytes) })
    expect([answer.status, answer.body.errors]).toEqual([413, { profileImage: m.imageTooLarge }])
  })

  test.each([
    [{ name: '' }, { name: m.required }],
    [{ name: 'x'.repeat(101) }, { name: 'Must be at most 100 characters' }],
    [{ email: '' }, { email: m.required }],
    [{ email: 'x' }, { email: 'Value must be a valid email' }],
    [{ contact: '' }, { contact: m.required }],
    [{ contact: 'abc' }, { contact: 'invalid contact number' }],
    [{ countryCode: '' }, { countryCode: m.required }],
    [{ countryCode: '45' }, { countryCode: m.countryCode }],
    [{ role: 'sudoer' }, { role: 'Unknown field: role' }],
    [
      { userRole: 'sudoer', allowed: {} },
      { userRole: expect.anything(), allowed: expect.anything() },
    ],
  ])('R3 %j is refused with a message per field', async (wrong, errors) => {
    const token = await app.tokenOf('expert@north.example')
    const answer = await app.ask(updateProfile, { token, body: { ...form, ...wrong } })
    expect([answer.status, answer.body.errors]).toEqual([400, errors])
  })

  test('the longest name and the shortest contact are accepted', async () => {
    const token = await app.tokenOf('expert@north.example')
    const body = { ...form, name: 'x'.repeat(100), contact: '1234' }
    expect((await app.ask(updateProfile, { token, body })).status).toBe(200)
  })

  test('without a token the answer is 401', async () => {
    expect((await app.ask(updateProfile, { body: form, file: await picture() })).status).toBe(401)
  })
})
