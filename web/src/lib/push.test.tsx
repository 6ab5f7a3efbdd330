import { type PushDevice, savePushDevice } from '@gridmast/contract/people/push-devices.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { answerCalls } from '#testing/answers.ts'
import { renewPush, turnPushOff, turnPushOn } from './push.ts'

const user = '01930000-0000-7000-8000-0000000000a1'
const session = '01930000-0000-7000-8000-000000000031'
const device: PushDevice = {
  _id: '01930000-0000-7000-8000-000000000021',
  current: true,
  userAgent: null,
  createdAt: '2026-11-20T08:00:00Z',
}
const other = { ...device, _id: '01930000-0000-7000-8000-000000000022', current: false }

/** A browser with a subscription at `endpoint`. */
const registrationAt = (endpoint: string) => {
  const subscription = {
    endpoint,
    options: { applicationServerKey: new Uint8Array([4]).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'B', auth: 'A' } }),
  }
  const pushManager = { getSubscription: () => Promise.resolve(subscription) }
  return { pushManager } as unknown as ServiceWorkerRegistration // what a renewal uses of it
}
const registration = registrationAt('https://push.example/1')

const answer = (listed: { session?: string; devices: PushDevice[] }) => {
  const requests = answerCalls({
    'GET /client/push-device': () => ({ data: { publicKey: 'BA', session, ...listed } }),
    'PUT /client/push-device': () => ({ data: { device } }),
    [`DELETE /client/push-device/${device._id}`]: () => ({}),
  })
  return () => requests.filter(({ call }) => call === `PUT ${savePushDevice.path}`).length
}

beforeEach(async () => {
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue('granted')
  vi.spyOn(Notification, 'requestPermission').mockResolvedValue('granted')
  vi.spyOn(navigator.serviceWorker, 'register').mockResolvedValue(registration)
  vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockReturnValue(Promise.resolve(registration))
  answer({ devices: [] })
  expect(await turnPushOn(user)).toBeNull()
  vi.mocked(window.fetch).mockRestore()
})

describe('at the next page load', () => {
  test('this device is saved again', async () => {
    const saved = answer({ devices: [device, other] })
    await renewPush(user, registration)
    expect(saved()).toBe(1)
  })

  test('a device that was removed elsewhere stays removed, also with a later session', async () => {
    const saved = answer({ devices: [other] })
    await renewPush(user, registration)
    expect(localStorage.getItem('GM_PUSH')).toBeNull()
    vi.mocked(window.fetch).mockRestore()
    const savedLater = answer({ session: other._id, devices: [other] })
    await renewPush(user, registration)
    expect([saved(), savedLater()]).toEqual([0, 0])
  })

  test('a new session continues the notifications', async () => {
    const saved = answer({ session: other._id, devices: [] })
    await renewPush(user, registration)
    expect(saved()).toBe(1)
  })

  test('a new endpoint continues them, after the push service has ended the previous one', async () => {
    const saved = answer({ devices: [] })
    await renewPush(user, registrationAt('https://push.example/2'))
    expect(saved()).toBe(1)
  })

  test('another user of the browser does not take them over', async () => {
    const saved = answer({ devices: [] })
    await renewPush(other._id, registration)
    expect(saved()).toBe(0)
    expect(localStorage.getItem('GM_PUSH')).toContain(user)
  })

  test('nothing is saved after they were turned off', async () => {
    const saved = answer({ devices: [] })
    await turnPushOff(device._id)
    await renewPush(user, registration)
    expect(saved()).toBe(0)
  })
})
