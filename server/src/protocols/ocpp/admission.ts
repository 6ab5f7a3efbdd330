import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { hourMs } from '@gridmast/contract/time.ts'
import { isMachineSecret, unknownMachineHash } from '#platform/security/token.ts'
import { type Version, versions } from './frames.ts'

/** Identification and authentication of chargers (security rule D2), before the handshake is answered and before a live socket is replaced. */

const identityPattern = /^[\w.\-:=*+|@]{1,48}$/

/** `/ocpp/{identity}`, or `/ocpp/{customer}/{identity}` to list unknown chargers under a customer; null for any other path. */
export const readPath = (url: string | undefined): { identity: string; customerKey: string | null } | null => {
  const path = (url ?? '').split('?', 1)[0] ?? ''
  if (path.length > 400) return null
  const [, root, ...parts] = path.replace(/\/$/, '').split('/')
  if (root !== 'ocpp' || parts.length === 0 || parts.length > 2) return null
  try {
    const identity = decodeURIComponent(parts.at(-1) ?? '')
    const customerKey = parts.length === 2 ? decodeURIComponent(parts[0] ?? '') : null
    return identityPattern.test(identity) ? { identity, customerKey } : null
  } catch {
    return null // a bad percent escape
  }
}

/** The version of this connection: some chargers alternate. */
export const chooseVersion = (offered: Iterable<string>): Version | null => {
  const all = new Set(offered)
  return [...versions].toReversed().find((version) => all.has(version)) ?? null
}

type Basic = { user: string; password: Buffer }

/** A password of 1.6 is 20 bytes, not necessarily text. */
export const readBasic = (header: string | undefined): Basic | null => {
  const match = /^Basic\s+([A-Za-z0-9+/=_-]{1,400})$/i.exec(header ?? '')
  if (!match) return null
  const bytes = Buffer.from(match[1] ?? '', 'base64')
  const colon = bytes.indexOf(0x3a)
  if (colon < 0) return null
  return { user: bytes.subarray(0, colon).toString(), password: bytes.subarray(colon + 1) }
}

const hexKey = /^[0-9a-f]{40}$/i

/** Form of a secret before hashing: an AuthorizationKey of 1.6 is 40 hex digits in either case. */
export const keyText = (secret: string): string => (hexKey.test(secret) ? secret.toLowerCase() : secret)

/** A key of 40 hex digits is sent as its 20 bytes; older clients send the digits. */
const isKey = (password: Buffer, hash: string): boolean => {
  const forms =
    password.length === 20 ? [password.toString('hex'), password.toString()] : [keyText(password.toString())]
  return forms.some((form) => isMachineSecret(form, hash))
}

export type Credentials = {
  chargerId: string
  identity: string
  securityProfile: number
  passwordHash: string
  customerKey: string
  /** The company of the last connection of this identity with a certificate that names no customer. */
  claim: 'own' | 'elsewhere' | 'free'
  previousHash: string | null
}

type Presented = {
  basic: Basic | null
  isEncrypted: boolean
  mayBePlain: boolean
  /** Common name and organisation of a client certificate signed by our CA. */
  certificate: { name: string; organisation: string | null } | null
  /** The path names the customer, or only one charger of this identity has a certificate. */
  isAddressed: boolean
}

/** The stored hash of the presented key; null for a wrong key. */
export const keyOf = (
  { passwordHash, previousHash }: Pick<Credentials, 'passwordHash' | 'previousHash'>,
  basic: Basic | null,
): string | null =>
  (basic && [passwordHash, previousHash ?? []].flat().find((hash) => isKey(basic.password, hash))) ?? null

/** True while a charger admitted with `passwordHash` would be admitted again. */
export const isStill = <Charger extends Credentials>(admitted: Charger, now: Charger | null): boolean => {
  const { previousHash, passwordHash, claim: _, ...registered } = admitted
  return (
    now !== null &&
    [now.passwordHash, now.previousHash].includes(passwordHash) &&
    Object.entries(registered).every(([name, value]) => now[name as keyof Charger] === value) // its own names
  )
}

export type Verdict = 'welcome' | 'wrong-key' | 'too-plain' | 'wrong-certificate'

/** The organisation of the certificate is the customer's key. */
export const isNamed = ({ customerKey }: Pick<Credentials, 'customerKey'>, { certificate }: Presented): boolean =>
  certificate?.organisation === customerKey

const isItsCertificate = (credentials: Credentials, presented: Presented): boolean => {
  if (presented.certificate?.name !== credentials.identity) return false
  return (
    isNamed(credentials, presented) ||
    credentials.claim === 'own' ||
    (credentials.claim === 'free' && presented.isAddressed)
  )
}

/** At least the stored security profile is required. A certificate of our CA must also name this charger. */
export const judge = (credentials: Credentials | null, presented: Presented): Verdict => {
  const { basic, isEncrypted, mayBePlain } = presented
  if (credentials && credentials.securityProfile >= 2 && !isEncrypted) return 'too-plain'
  if (!isEncrypted && !mayBePlain) return 'too-plain'
  if (credentials?.securityProfile === 3)
    return isItsCertificate(credentials, presented) ? 'welcome' : 'wrong-certificate'
  const hash = keyOf(credentials ?? { passwordHash: unknownMachineHash, previousHash: null }, basic)
  return credentials && hash !== null && basic?.user === credentials.identity ? 'welcome' : 'wrong-key'
}

export const certificateOf = ({ socket }: IncomingMessage): Presented['certificate'] => {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null
  const { CN, O }: { CN?: unknown; O?: unknown } = socket.getPeerCertificate().subject ?? {} // absent without a certificate, despite the type
  return typeof CN === 'string' ? { name: CN, organisation: typeof O === 'string' ? O : null } : null
}

/** Connections of one charger per hour before it must wait an hour. */
const maxPerHour = 60
/** Bounds the map against invented names. */
const maxNames = 50_000

/** Refuses a charger that reconnects constantly for an hour, so that it does not slow the server for others. */
export const openReconnectLimit = (now: () => number) => {
  const connections = new Map<string, { count: number; sinceMs: number; untilMs: number }>()
  return {
    waitS: (identity: string): number => {
      const at = now()
      const previous = connections.get(identity)
      if (previous && previous.untilMs > at) return Math.ceil((previous.untilMs - at) / 1000)
      const isNew = !previous || previous.untilMs > 0 || at - previous.sinceMs > hourMs
      const entry = isNew ? { count: 1, sinceMs: at, untilMs: 0 } : { ...previous, count: previous.count + 1 }
      if (entry.count > maxPerHour) entry.untilMs = at + hourMs
      const [oldest] = connections.size >= maxNames ? connections.keys() : []
      if (oldest !== undefined) connections.delete(oldest)
      connections.set(identity, entry)
      return entry.untilMs > at ? hourMs / 1000 : 0
    },
  }
}
