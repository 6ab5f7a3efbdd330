import type { Data } from '@gridmast/contract/call.ts'
import { findPushDevices, removePushDevice, savePushDevice } from '@gridmast/contract/people/push-devices.ts'
import { api } from './api.ts'
import { deviceStorage } from './store.ts'

/** `unsupported`: the browser has no Push API, on an iPhone outside of the home screen; `denied`: blocked for this site. */
export type PushRefusal = 'unsupported' | 'denied'

/** Set while this browser receives notifications: of which user, session and endpoint. */
const storageKey = 'GM_PUSH'
const storedOf = (userId: string, session: string, endpoint = '') => `${userId} ${session} ${endpoint}`

/** Null where the storage of the browser is blocked. */
export const registerWorker = (): Promise<ServiceWorkerRegistration | null> =>
  'serviceWorker' in navigator
    ? navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => null)
    : Promise.resolve(null)

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

const isSameKey = (subscription: PushSubscription, key: Uint8Array) => {
  const used = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0))
  return used.length === key.length && used.every((byte, i) => byte === key[i])
}

/** A subscription under another key of the server receives nothing. */
const subscribe = async ({ pushManager }: ServiceWorkerRegistration, publicKey: string) => {
  const applicationServerKey = bytesOf(publicKey)
  const existing = await pushManager.getSubscription()
  if (existing && isSameKey(existing, applicationServerKey)) return existing
  await existing?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

const save = async (
  userId: string,
  registration: ServiceWorkerRegistration,
  { publicKey, session }: Data<typeof findPushDevices>,
) => {
  const { endpoint = '', keys = {} } = (await subscribe(registration, publicKey)).toJSON()
  const { p256dh = '', auth = '' } = keys
  await api(savePushDevice, { body: { endpoint, keys: { p256dh, auth } } })
  deviceStorage.write(storageKey, storedOf(userId, session, endpoint))
}

/** Asks the user; null when notifications are on. */
export const turnPushOn = async (userId: string): Promise<PushRefusal | null> => {
  if (!('PushManager' in window && 'Notification' in window)) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  if (!(await registerWorker())) return 'unsupported'
  await save(userId, await navigator.serviceWorker.ready, await api(findPushDevices))
  return null
}

export const turnPushOff = async (deviceId: string) => {
  deviceStorage.write(storageKey, null)
  await api(removePushDevice, { params: { id: deviceId } })
}

/**
 * A new session or a new endpoint of the browser continues the notifications of this device. A device that is missing although neither has
 * changed was removed: by its user on another device, or because another user of this browser has turned notifications on.
 */
export const renewPush = async (userId: string, registration: ServiceWorkerRegistration): Promise<void> => {
  const stored = deviceStorage.read(storageKey)
  if (!stored?.startsWith(`${userId} `) || Notification.permission !== 'granted') return
  const answer = await api(findPushDevices)
  const subscription = await registration.pushManager.getSubscription()
  const isMissing = !answer.devices.some(({ current }) => current)
  if (isMissing && stored === storedOf(userId, answer.session, subscription?.endpoint))
    return deviceStorage.write(storageKey, null)
  await save(userId, registration, answer)
}
