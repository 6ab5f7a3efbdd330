import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFolderLocked, lockDataFolder, lockName } from './data-folder.ts'

const script = (folder: string) => `
  import { lockDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder.ts'))}
  await lockDataFolder(${JSON.stringify(folder)})
  console.log('locked')
  setInterval(() => {}, 1000)`

test('a second server on the same folder is refused in one line, and a killed one leaves no lock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-lock-'))
  const child = spawn(process.execPath, ['--input-type=module', '-e', script(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await expect(lockDataFolder(folder)).rejects.toThrow(/^Another Gridmast server is using the data folder .*DATA_DIR/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await lockDataFolder(folder)
  expect(readdirSync(folder)).toEqual([lockName])
})

test('a start waits for a terminating server and reports it, and refuses for a responding one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-lock-'))
  const child = spawn(process.execPath, ['--input-type=module', '-e', script(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  let waits = 0
  const wait = { waitMs: 20_000, onWait: () => void (waits++ === 0 && child.kill('SIGKILL')) }
  await expect(lockDataFolder(folder, { ...wait, isAnswering: () => Promise.resolve(true) })).rejects.toThrow('Another')
  expect(waits).toBe(0)
  await lockDataFolder(folder, { ...wait, isAnswering: () => Promise.resolve(false) })
  expect(waits).toBe(1)
})

test('the folder is private, also after wider permissions, and a failed creation names its setting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-lock-'))
  chmodSync(folder, 0o755)
  await lockDataFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  await expect(lockDataFolder(join(file, 'data'))).rejects.toThrow(/^DATA_DIR: /)
  expect(() => isFolderLocked(join(file, 'data'))).toThrow(/^DATA_DIR: /)
})
