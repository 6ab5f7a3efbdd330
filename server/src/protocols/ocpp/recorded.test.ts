import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFrame } from './frames.ts'
import { readCall } from './messages.ts'
import { v16 } from './v16.ts'

// Recordings without a licence, so they are outside of the repository; checked where they exist.
const folder = join(import.meta.dirname, '../../../../../shared/data/ocpp')
const files = existsSync(folder) ? globSync('ocpp16_*.jsonl', { cwd: folder }) : []

test.skipIf(files.length === 0)('what chargers of the field have sent is understood', () => {
  for (const file of files)
    for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
      const { direction, frame } = JSON.parse(line) as { direction: string; frame: string } // as recorded
      const read = readFrame(frame)
      expect(read.kind, line).not.toBe('broken')
      if (read.kind === 'call' && direction === 'charger->system')
        expect(v16.read(read.action, readCall('ocpp1.6', read.action, read.payload).payload).kind).toBeTruthy()
    }
})
