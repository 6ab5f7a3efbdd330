import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The key of this installation: codes are stored as HMACs, secrets that must be readable are sealed. */
export type Secret = {
  hmac: (purpose: string, text: string) => Buffer
  /** Under each accepted key, the current one first: for comparison with what was stored or sent before a rotation. */
  hmacs: (purpose: string, text: string) => Buffer[]
  seal: (plain: string) => Buffer
  /** Throws when the bytes were sealed under a key that is not accepted, or changed since. */
  unseal: (sealed: Uint8Array) => string
  /** Sealed under the current key; null for bytes that are already. */
  reseal: (sealed: Uint8Array) => Buffer | null
}

const cipher = 'aes-256-gcm'

const secretOfOne = (key: string): Pick<Secret, 'hmac' | 'seal' | 'unseal'> => {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', key, '', `gridmast ${use}`, 32))
  const [hmacKey, sealKey] = [derive('hmac'), derive('seal')]
  return {
    hmac: (purpose, text) => createHmac('sha256', hmacKey).update(`${purpose}\0${text}`).digest(),
    seal: (plain) => {
      const iv = randomBytes(12)
      const sealing = createCipheriv(cipher, sealKey, iv)
      const body = Buffer.concat([sealing.update(plain, 'utf8'), sealing.final()])
      return Buffer.concat([iv, sealing.getAuthTag(), body])
    },
    unseal: (sealed) => {
      const bytes = Buffer.from(sealed)
      const opening = createDecipheriv(cipher, sealKey, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([opening.update(bytes.subarray(28)), opening.final()]).toString('utf8')
    },
  }
}

/** `otherKey` is accepted too: during a rotation the next key, then the previous one. */
export const secretOf = (key: string, otherKey?: string): Secret => {
  const current = secretOfOne(key)
  const other = otherKey === undefined ? null : secretOfOne(otherKey)
  const openedBy = (opening: Pick<Secret, 'unseal'>, sealed: Uint8Array): string | null => {
    try {
      return opening.unseal(sealed)
    } catch {
      return null
    }
  }
  const unseal = (sealed: Uint8Array) => (other && openedBy(other, sealed)) ?? current.unseal(sealed)
  return {
    ...current,
    unseal,
    hmacs: (purpose, text) => [current, ...(other ? [other] : [])].map(({ hmac }) => hmac(purpose, text)),
    reseal: (sealed) => (openedBy(current, sealed) === null ? current.seal(unseal(sealed)) : null),
  }
}

/** SECRET_KEY, or a key created at the first start and stored next to the stores. Several servers must share one. */
export const openSecret = (configuredKey: string | undefined, file: string, otherKey?: string): Secret => {
  if (configuredKey) return secretOf(configuredKey, otherKey)
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return secretOf(readFileSync(file, 'utf8').trim(), otherKey)
}
