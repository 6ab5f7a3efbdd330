import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineLimiter } from '#platform/http/limits.ts'

test('L5 a line says of which process it is, and no secret', () => {
  const code = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
    openLog('info', ['web', 'jobs']).info({ password: 'gridmast-demo' }, 'hello')`
  const { stdout, pid } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toMatchObject({ pid, roles: 'web,jobs', msg: 'hello', password: '[redacted]' })
})

test('what strangers cause fills no disk: so many lines a minute of a name, and the next says how many were left out', () => {
  let nowMs = 30_000
  const lines: object[] = []
  const line = lineLimiter(3, () => nowMs)
  const say = (name: string) => line(name, (leftOut) => lines.push({ name, ...leftOut }))
  for (let i = 0; i < 1000; i++) say('refused')
  say('other')
  nowMs += 20_000
  say('refused')
  expect(lines).toEqual([
    { name: 'refused' },
    { name: 'refused' },
    { name: 'refused' },
    { name: 'other' },
    { name: 'refused', leftOut: 997 },
  ])
})
