import { findPushDevices, removePushDevice, savePushDevice } from '@gridmast/contract/people/push-devices.ts'
import { api } from './api.ts'
import { deviceStorage } from './store.ts'

/** `unsupported`: the browser has no Push API, on an iPhone outside of the home screen; `denied`: blocked for this site. */
export type PushRefusal = 'unsupported' | 'denied'

/** Set while this browser receives notifications of the user. */
const storageKey = (userId: string) => `GM_PUSH ${userId}`

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

const save = async (userId: string, registration: ServiceWorkerRegistration) => {
  const { publicKey } = await api(findPushDevices)
  const { endpoint = '', keys = {} } = (await subscribe(registration, publicKey)).toJSON()
  const { p256dh = '', auth = '' } = keys
  await api(savePushDevice, { body: { endpoint, keys: { p256dh, auth } } })
  deviceStorage.write(storageKey(userId), 'on')
}

/** Asks the user; null when notifications are on. */
export const turnPushOn = async (userId: string): Promise<PushRefusal | null> => {
  if (!('PushManager' in window && 'Notification' in window)) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  if (!(await registerWorker())) return 'unsupported'
  await save(userId, await navigator.serviceWorker.ready)
  return null
}

export const turnPushOff = async (userId: string, deviceId: string) => {
  deviceStorage.write(storageKey(userId), null)
  await api(removePushDevice, { params: { id: deviceId } })
}

/** A new session or a new endpoint of the browser continues the notifications of this device. */
export const renewPush = async (userId: string, registration: ServiceWorkerRegistration): Promise<void> => {
  if (deviceStorage.read(storageKey(userId)) === null || Notification.permission !== 'granted') return
  await save(userId, registration)
}
