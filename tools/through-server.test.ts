import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'gridmast-tools-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['operator.ts', 'reseal'],
  ['operator.ts', 'person-erase', 'eva@nordhavn.example'],
  ['backup.ts', join(root, 'backup.tar.gz')],
  ['tenant-exit.ts', 'nordhavn', join(root, 'exit'), '--erase'],
])('%s %s refuses a DATA_DIR without data and creates none', (tool, ...args) => {
  const folder = join(root, 'wrong')
  const { DATABASE_URL: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, tool), ...args], {
    env: { ...env, DATA_DIR: folder, DEMO: 'off' },
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `${folder} has no data: set DATA_DIR to the folder of the server\n`,
  })
  expect(existsSync(folder)).toBe(false)
})
