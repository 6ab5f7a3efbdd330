import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineLimiter } from '#platform/http/limits.ts'

const lineOf = (call: string) => {
  const code = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
    openLog('info', ['web', 'jobs'])${call}`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
}

test('L5 a line has the name of its process and no secrets', () => {
  const { stdout, pid } = lineOf(".info({ password: 'gridmast-demo' }, 'hello')")
  expect(JSON.parse(stdout)).toMatchObject({ pid, roles: 'web,jobs', msg: 'hello', password: '[redacted]' })
})

test('L5 an error has its message and stack, without the row in the detail of a PostgreSQL error', () => {
  const error = "Object.assign(new Error('null value'), { code: '23502', detail: 'Failing row contains (secret)' })"
  const { stdout } = lineOf(`.error({ err: ${error} }, 'job failed')`)
  expect(JSON.parse(stdout)).toMatchObject({ err: { message: 'null value', code: '23502', stack: expect.any(String) } })
  expect(stdout).not.toContain('Failing row')
})

test('at most perMinute log lines per name, and the next line counts the omitted', () => {
  let nowMs = 30_000
  const lines: object[] = []
  const line = lineLimiter(3, () => nowMs)
  const write = (name: string) => line(name, (count) => lines.push({ name, ...count }))
  for (let i = 0; i < 1000; i++) write('refused')
  write('other')
  nowMs += 20_000
  write('refused')
  expect(lines).toEqual([
    { name: 'refused' },
    { name: 'refused' },
    { name: 'refused' },
    { name: 'other' },
    { name: 'refused', omitted: 997 },
  ])
})
