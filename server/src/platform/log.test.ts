import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('L5 a line says of which process it is, and no secret', () => {
  const code = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
    openLog('info', ['web', 'jobs']).info({ password: 'gridmast-demo' }, 'hello')`
  const { stdout, pid } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toMatchObject({ pid, roles: 'web,jobs', msg: 'hello', password: '[redacted]' })
})
