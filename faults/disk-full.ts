import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { closing, type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { openLoad } from './load.ts'

const ready = 'gridmast_part_ready{part="readings"}'
const minFreeBytes = 300e6

/** The embedded readings on a disk of their own, in memory (needs root). */
export const diskFull: Drill = {
  name: 'disk-full',
  short: false,
  run: () =>
    withStoresAnd(mosquitto, ({ start, provision, serveReadings, postgres, broker }) =>
      closing(async (onEnd) => {
        const folder = mkdtempSync(join(tmpdir(), 'gridmast-disk-'))
        onEnd(async () => rmSync(folder, { recursive: true, force: true }))
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g,mode=0700', 'tmpfs', folder])
        onEnd(async () => void execFileSync('umount', ['-l', folder]))
        const dataDir = join(folder, 'data')
        const web = await start('web', 'web,jobs')
        const ingest = await start('ingest', 'ingest', {
          DATA_DIR: dataDir,
          CLICKHOUSE_URL: '',
          MIN_FREE_BYTES: String(minFreeBytes),
        })
        await provision('demo/world.yaml')
        const load = await openLoad({ web, mqtt: broker.urlOf('edge-lab'), prefix: 'disk' })
        onEnd(load.close)
        const alarm = watchAlarm(`${ready} == 0`, [ingest], ([text = '']) => valueOf(text, ready) === 0)
        const filler = join(folder, 'filler')
        alarm.start()
        const { bavail, bsize } = statfsSync(folder)
        writeFileSync(filler, Buffer.alloc(bavail * bsize - minFreeBytes / 2))
        await pause(20_000)
        rmSync(filler)
        const freeMs = Date.now()
        await load.finish(freeMs)
        const fired = await alarm.stop()
        const ended = once(ingest.process, 'exit')
        ingest.process.kill('SIGTERM')
        await ended
        const stored = await serveReadings(dataDir)
        const { slowestS: _, ...result } = await load.compare(
          { records: postgres.ownerUrl, readings: stored.url },
          freeMs,
        )
        return [
          {
            fault: 'the disk of the embedded readings full for 20 s (below MIN_FREE_BYTES)',
            ...result,
            boundS: 10,
            alarm: fired,
          },
        ]
      }),
    ),
}
