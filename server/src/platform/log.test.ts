import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boundedLines } from './log.ts'

test('L5 a line says of which process it is, and no secret', () => {
  const code = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
    openLog('info', ['web', 'jobs']).info({ password: 'gridmast-demo' }, 'hello')`
  const { stdout, pid } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toMatchObject({ pid, roles: 'web,jobs', msg: 'hello', password: '[redacted]' })
})

test('what strangers cause fills no disk: so many lines a minute, then one that counts the rest', () => {
  const lines: object[] = []
  const line = boundedLines(3)
  const log = { info: (details: object) => void lines.push(details) }
  for (let i = 0; i < 1000; i++) line(log, 30_000 + i, { i }, 'refused')
  line(log, 61_000, { i: 'next' }, 'refused')
  expect(lines).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }, { more: 997 }, { i: 'next' }])
})
