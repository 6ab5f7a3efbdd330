import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installOnDebian } from '../tools/debian.ts'
import { metricsOf, valueOf } from './alarms.ts'
import { closing, type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { openLoad } from './load.ts'
import type { Row } from './results.ts'

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`

export const clockJumps: Drill = {
  name: 'clock',
  short: false,
  run: () =>
    withStoresAnd(mosquitto, ({ start, provision, readings, postgres, broker }) =>
      closing(async (onEnd) => {
        if (!existsSync(library)) installOnDebian('faketime', ['faketime'])
        if (!existsSync(library)) throw new Error('faketime is missing: apt-get install faketime')
        const folder = mkdtempSync(join(tmpdir(), 'gridmast-clock-'))
        onEnd(async () => rmSync(folder, { recursive: true, force: true }))
        const file = join(folder, 'offset')
        const setHours = (hours: number) => writeFileSync(file, `${hours < 0 ? '' : '+'}${hours}h`)
        setHours(0)
        const settings = {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: file,
          FAKETIME_CACHE_DURATION: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        }
        const web = await start('web', 'web', settings)
        const ingest = await start('ingest', 'ingest', settings)
        const others = [await start('jobs', 'jobs'), await start('standby', 'ingest')]
        await provision('demo/world.yaml')
        const rows: Row[] = []
        for (const hours of [1, -1]) {
          const load = await openLoad({
            web,
            mqtt: broker.urlOf('edge-lab'),
            prefix: `clock ${hours}`,
            mayEnd: hours > 0,
          })
          onEnd(load.close)
          setHours(hours)
          const faultMs = Date.now()
          await pause(15_000)
          const active = await Promise.all([ingest, ...others].map(metricsOf))
          const readers = active.filter((text) => valueOf(text, 'gridmast_ingest_partitions_held') === 1).length
          if (readers !== 1) throw new Error(`${readers} processes read the messages of edges`)
          const shifted = new Date((await fetch(`${web.portal}/live`)).headers.get('date') ?? '').getTime()
          if (Math.abs(shifted - Date.now() - hours * 3_600_000) > 60_000) throw new Error('the clock did not jump')
          const { slowestS: _, ...result } = await load.result(faultMs, {
            records: postgres.ownerUrl,
            readings: readings.url,
          })
          setHours(0)
          rows.push({
            fault: `clock of \`web\` and \`ingest\` ${hours > 0 ? 'forward' : 'back'} by an hour`,
            ...result,
            boundS: 10,
            alarm: 'no fault of a part',
          })
        }
        return rows
      }),
    ),
}
