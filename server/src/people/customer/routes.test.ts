import { requireSecondFactor, updateDetails } from '@gridmast/contract/people/customer.ts'
import { verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { changeRows } from '#testing/rows.ts'

const app = await openTestApp()
afterAll(() => app.close())

const form = {
  primaryContactName: 'Mette Lind',
  primaryContactEmail: 'mette@north.example',
  billingEmail: 'bills@north.example',
  contact: '31234567',
  countryCode: '+45',
}
const entries = (action: string) => app.trail(action)

describe('PATCH /client/customer/update-details', () => {
  test.each(['sudoer', 'expert'])('the %s changes the company profile', async (role) => {
    const token = await app.tokenOf(`${role}@north.example`)
    const body = { ...form, primaryContactName: `Mette ${role}` }
    expect((await app.ask(updateDetails, { token, body })).body).toEqual({
      success: true,
      message: 'Company profile updated!',
      data: { address: body },
    })
    expect((await app.ask(verify, { token })).text).toContain(`Mette ${role}`)
  })

  test('C4 before and after are on the audit trail', async () => {
    expect(await entries('customer.details')).toMatchObject([
      { who: 'sudoer@north.example', subject: 'North', before: {}, after: { primaryContactName: 'Mette sudoer' } },
      { before: { primaryContactName: 'Mette sudoer' }, after: { primaryContactName: 'Mette expert' } },
    ])
  })

  test('T1 the other customer is unchanged', async () => {
    const token = await app.tokenOf('sudoer@west.example')
    expect((await app.ask(verify, { token })).text).not.toContain('Mette')
  })

  test.each([
    [{ primaryContactName: 'ab' }, { primaryContactName: 'Must be at least 3 characters' }],
    [{ primaryContactName: 'x'.repeat(33) }, { primaryContactName: 'Must be at most 32 characters' }],
    [{ primaryContactName: '' }, { primaryContactName: m.required }],
    [{ primaryContactEmail: 'x' }, { primaryContactEmail: 'invalid email' }],
    [{ billingEmail: 'x@' }, { billingEmail: 'invalid email' }],
    [{ contact: 'x' }, { contact: 'invalid contact number' }],
    [{ contact: '123' }, { contact: 'invalid contact number' }],
    [{ countryCode: '' }, { countryCode: m.required }],
    [{ countryCode: '+0' }, { countryCode: m.countryCode }],
    [{ name: 'North' }, { name: 'Unknown field: name' }],
  ])('R3 %j is refused with the message of its field', async (wrong, errors) => {
    const token = await app.tokenOf('sudoer@north.example')
    const answer = await app.ask(updateDetails, { token, body: { ...form, ...wrong } })
    expect(answer).toMatchObject({ status: 400, body: { errors } })
    expect(answer.body.errors).toEqual(errors)
  })

  test('the shortest and the longest contact name are accepted', async () => {
    const token = await app.tokenOf('sudoer@north.example')
    for (const primaryContactName of ['abc', 'x'.repeat(32)])
      expect((await app.ask(updateDetails, { token, body: { ...form, primaryContactName } })).status).toBe(200)
  })
})

describe('PATCH /client/customer/second-factor', () => {
  const require = (token: string, required: boolean) => app.ask(requireSecondFactor, { token, body: { required } })
  const turnOn = (email: string) =>
    changeRows(
      app.records,
      'app_user',
      { email },
      { totp_confirmed_at: new Date(), totp_sealed: app.secret.seal('JBSWY3DPEHPK3PXP') },
    )

  test('S3 a user without a second factor cannot require it of the company', async () => {
    const token = await app.tokenOf('sudoer@north.example')
    expect(await require(token, true)).toMatchObject({ status: 409, body: { message: m.secondFactorFirst } })
    expect(await entries('customer.second-factor')).toEqual([])
    expect((await require(token, false)).status).toBe(200)
  })

  test('S3 C4 the requirement applies at once to all users of the company until it is withdrawn', async () => {
    const [sudoer, expert, other] = [
      await app.tokenOf('sudoer@north.example'),
      await app.tokenOf('expert@north.example'),
      await app.tokenOf('expert@west.example'),
    ]
    await turnOn('sudoer@north.example')
    expect((await app.ask(systemStatus, { token: expert })).status).toBe(200)
    expect((await require(sudoer, true)).status).toBe(200)
    expect(await app.ask(systemStatus, { token: expert })).toMatchObject({
      status: 403,
      body: { message: m.secondFactorDue },
    })
    expect((await app.ask(verify, { token: expert })).text).toContain('"due":"second-factor"')
    for (const token of [sudoer, other]) expect((await app.ask(systemStatus, { token })).status).toBe(200)
    expect((await require(sudoer, false)).status).toBe(200)
    expect((await app.ask(systemStatus, { token: expert })).status).toBe(200)
    expect((await entries('customer.second-factor')).slice(-2)).toMatchObject([
      { before: { required: false }, after: { required: true } },
      { before: { required: true }, after: { required: false } },
    ])
  })
})
