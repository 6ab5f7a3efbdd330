import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The key of this installation: codes are stored as HMACs, secrets that must be readable are sealed. */
export type Secret = {
  hmac: (purpose: string, text: string) => Buffer
  seal: (plain: string) => Buffer
  /** Throws when the bytes were sealed under another key or changed since. */
  unseal: (sealed: Uint8Array) => string
}

const cipher = 'aes-256-gcm'

export const secretOf = (key: string): Secret => {
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

/** SECRET_KEY, or a key created at the first start and stored next to the stores. Several servers must share one. */
export const openSecret = (configuredKey: string | undefined, file: string): Secret => {
  if (configuredKey) return secretOf(configuredKey)
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return secretOf(readFileSync(file, 'utf8').trim())
}
