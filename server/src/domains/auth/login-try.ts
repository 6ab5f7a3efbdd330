import type { FastifyRequest } from 'fastify'
import { addressPrefix } from '#platform/address.ts'
import { type Bucket, forgetTries, giveBackTry, takeTry } from '#access/attempts.ts'
import { knownDevice } from '#access/device.ts'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records.ts'

const noOne = '00000000-0000-0000-0000-000000000000'

/** A known browser is counted by itself, anyone else by account and address prefix, and by prefix alone. */
const bucketsOf = (app: App, email: string, device: string | null, address: string): Bucket[] => {
  const of = (kind: Bucket['kind'], text: string): Bucket => ({ kind, key: app.secret.hmac(kind, text) })
  if (device) return [of('login-device', device)]
  const prefix = addressPrefix(address)
  return [of('login-account', `${email.toLowerCase()} ${prefix}`), of('login-address', prefix)]
}

export type LoginTry = {
  /** From a browser that has signed in to this account before. */
  known: boolean
  /** The password was right: the account starts anew, the address prefix gets this one try back. */
  succeeded: () => Promise<void>
  /** The password was never looked at. */
  giveBack: () => Promise<void>
}

/** Counts a try before the password is looked at; throws 429 while it must wait (security rule S3, attempts.md). */
export const takeLoginTry = async (
  tx: Tx,
  app: App,
  request: FastifyRequest,
  { email, userId = noOne, nowMs }: { email: string; userId: string | undefined; nowMs: number },
): Promise<LoginTry> => {
  const device = knownDevice(request, app.secret, userId, nowMs)
  const buckets = bucketsOf(app, email, device, request.ip)
  for (const bucket of buckets) await takeTry(tx, bucket, nowMs)
  const each = (act: (tx: Tx, bucket: Bucket) => Promise<void>) =>
    app.records.system(async (tx) => {
      for (const bucket of buckets) await act(tx, bucket)
    })
  return {
    known: device !== null,
    succeeded: () =>
      each((tx, bucket) => (bucket.kind === 'login-address' ? giveBackTry(tx, bucket) : forgetTries(tx, bucket))),
    giveBack: () => each(giveBackTry),
  }
}
