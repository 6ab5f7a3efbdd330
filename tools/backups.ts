// npm run backups [-- ADDRESS]: the backups in BACKUP_URL with age, size, and whether they were verified.
// npm run backup-key -- FILE: a new key for backups; FILE is the private key, the public key is printed.
// npm run backup-drill [-- ADDRESS]: restores the newest backup into a temporary folder, compares it and deletes the folder.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { listBackups } from '../server/src/operator/backup/catalogue.ts'
import { drillBackup } from '../server/src/operator/backup/drill.ts'
import { createKey } from '../server/src/operator/backup/encryption.ts'
import { openStorage } from '../server/src/operator/backup/storage.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { fail, print, readArguments, typedPath } from './through-server.ts'

const open = async (address: string | undefined) => {
  const config = readConfig(process.env)
  const url = address ?? config.BACKUP_URL
  if (!url) throw new Error('BACKUP_URL is not set: name the address, s3://bucket/prefix or file:///folder')
  return { config, storage: await openStorage(url, config) }
}

const list = async function* (address: string | undefined): AsyncGenerator<OutputLine> {
  const { storage } = await open(address)
  const backups = await listBackups(storage)
  for (const { name, bytes, madeAtMs, isVerified } of backups) {
    const hours = (Date.now() - madeAtMs) / 3_600_000
    const age = hours < 48 ? `${hours.toFixed(1)} hours` : `${(hours / 24).toFixed(1)} days`
    yield {
      text: `${storage.address}${name}  ${age}  ${(bytes / 1e6).toFixed(1)} MB  ${isVerified ? 'verified' : 'NOT VERIFIED'}`,
    }
  }
  if (backups.length === 0) yield { text: `${storage.address} has no backup`, isError: true }
}

const key = async function* (file: string): AsyncGenerator<OutputLine> {
  if (existsSync(file)) throw new Error(`${file} exists already`)
  const { identity, recipient } = await createKey()
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' })
  yield { text: `BACKUP_KEY=${recipient}` }
  yield { text: `${file} is the private key. Keep it off this machine: without it no backup can be restored.` }
}

const drill = async function* (address: string | undefined): AsyncGenerator<OutputLine> {
  const { config, storage } = await open(address)
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-drill-'))
  try {
    const done = await drillBackup(storage, { settings: config, folder: join(folder, 'data') })
    yield 'isHashOnly' in done
      ? { text: `${done.name}: its hash is right; not opened, because BACKUP_IDENTITY is not set`, isError: true }
      : {
          text: `${done.name}: restored and compared, ${done.customers} customers, ${done.entries} audit entries whole, ${done.sampleRows} rows of samples`,
        }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const [command = '', ...argv] = process.argv.slice(2)
const input = readArguments(argv, {
  usage: command === 'key' ? 'backup-key -- FILE' : `${command === 'list' ? 'backups' : 'backup-drill'} [-- ADDRESS]`,
  count: command === 'key' ? [1] : [0, 1],
})
const [word] = input?.words ?? []
if (input && command === 'list') await print(list(word))
else if (input && command === 'drill') await print(drill(word))
else if (input && command === 'key') await print(key(typedPath(word ?? '')))
else if (input) fail('Usage: node tools/backups.ts list | key | drill')
process.exit()
