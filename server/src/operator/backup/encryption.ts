import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** The format of age (https://age-encryption.org/v1): chunks of 64 KiB, each authenticated, the last one marked. The program `age` reads it. */

export const createKey = async (): Promise<{ identity: string; recipient: string }> => {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

const isPublicKey = (key: string) => key.startsWith('age1')

/** 64 MB of memory and 1 s for each guess; the setting has at least 20 characters. */
const passphraseWork = 16

// The types of Node.js and of the DOM for one stream differ.
const toWeb = (stream: Readable) => Readable.toWeb(stream) as ReadableStream<Uint8Array>
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as WebStream<Uint8Array>)

export const encrypt = async (source: Readable, key: string): Promise<Readable> => {
  const encrypter = new Encrypter()
  if (isPublicKey(key))
    try {
      encrypter.addRecipient(key)
    } catch (error) {
      throw new Error('BACKUP_KEY is no valid public key of age: its characters do not match its checksum', {
        cause: error,
      })
    }
  else {
    encrypter.setPassphrase(key)
    encrypter.setScryptWorkFactor(passphraseWork)
  }
  return fromWeb(await encrypter.encrypt(toWeb(source)))
}

export type Keys = { BACKUP_KEY?: string | undefined; BACKUP_IDENTITY?: string | undefined }

/** A file of `age-keygen` or of `npm run backup-key`: lines of comments and one private key. */
const readIdentity = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`BACKUP_IDENTITY: ${file} cannot be read`)
  })
  const identity = text.split(/\s+/).find((word) => word.startsWith('AGE-SECRET-KEY-'))
  if (!identity) throw new Error(`BACKUP_IDENTITY: ${file} has no private key of age`)
  return identity
}

/** False with a public key alone: such a server cannot read its backups. */
export const canDecrypt = ({ BACKUP_KEY, BACKUP_IDENTITY }: Keys): boolean =>
  BACKUP_IDENTITY !== undefined || (BACKUP_KEY !== undefined && !isPublicKey(BACKUP_KEY))

export const decrypt = async (source: Readable, title: string, keys: Keys): Promise<Readable> => {
  if (!canDecrypt(keys))
    throw new Error(
      `${title} is encrypted: set BACKUP_IDENTITY to the file of the private key, or BACKUP_KEY to the passphrase`,
    )
  const decrypter = new Decrypter()
  if (keys.BACKUP_IDENTITY) decrypter.addIdentity(await readIdentity(keys.BACKUP_IDENTITY))
  else decrypter.addPassphrase(keys.BACKUP_KEY ?? '')
  try {
    return fromWeb(await decrypter.decrypt(toWeb(source)))
  } catch (error) {
    source.destroy()
    const isOtherKey = error instanceof Error && error.message.startsWith('no identity matched')
    const setting = keys.BACKUP_IDENTITY ? 'BACKUP_IDENTITY' : 'BACKUP_KEY'
    const reason = isOtherKey
      ? `${setting} does not open ${title}: it was encrypted for another key`
      : `${title} is no encrypted backup, or its beginning was changed`
    throw new Error(reason, { cause: error })
  }
}
