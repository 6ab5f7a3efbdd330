import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { closing, type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { openLoad } from './load.ts'
import { startProxy } from './proxy.ts'

const ready = 'gridmast_part_ready{part="records"}'
const names = ['records', 'broker'].map((name) => `${name}.gridmast.test`)

/** A process with a hosts file of its own and a name server that does not answer (needs root). */
const ownNames = (folder: string) => {
  const [hosts, servers] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  const setNames = (known: readonly string[]) =>
    writeFileSync(hosts, `127.0.0.1 ${['localhost', ...known].join(' ')}\n`)
  setNames(names)
  writeFileSync(servers, 'nameserver 127.0.0.1\n')
  const script = `mount --bind ${hosts} /etc/hosts && mount --bind ${servers} /etc/resolv.conf && exec "$0" "$@"`
  return { setNames, through: ['unshare', '-m', 'sh', '-c', script] }
}

export const namesGone: Drill = {
  name: 'names-gone',
  short: false,
  run: () =>
    withStoresAnd(mosquitto, ({ start, provision, readings, postgres, broker }) =>
      closing(async (onEnd) => {
        const folder = mkdtempSync(join(tmpdir(), 'gridmast-names-'))
        onEnd(async () => rmSync(folder, { recursive: true, force: true }))
        const { setNames, through } = ownNames(folder)
        const urls = { DATABASE_URL: postgres.url, MQTT_URL: broker.urlOf('server') }
        const proxies: Awaited<ReturnType<typeof startProxy>>[] = []
        const settings: Record<string, string> = {}
        for (const [i, [setting, url]] of Object.entries(urls).entries()) {
          const target = new URL(url)
          const proxy = await startProxy(Number(target.port))
          onEnd(proxy.stop)
          proxies.push(proxy)
          settings[setting] = Object.assign(target, { hostname: names[i], port: String(proxy.port) }).href
        }
        const web = await start('web', 'web,jobs', settings, { through })
        const ingest = await start('ingest', 'ingest', settings, { through })
        await provision('demo/world.yaml')
        const load = await openLoad({ web, mqtt: broker.urlOf('edge-lab'), prefix: 'names' })
        onEnd(load.close)
        const alarm = watchAlarm(`${ready} == 0`, [web, ingest], (metrics) =>
          metrics.some((text) => valueOf(text, ready) === 0),
        )
        alarm.start()
        setNames([])
        for (const proxy of proxies) {
          proxy.set('cut')
          proxy.set('whole')
        }
        await pause(15_000)
        setNames(names)
        const { slowestS: _, ...result } = await load.result(Date.now(), {
          records: postgres.ownerUrl,
          readings: readings.url,
        })
        return [
          {
            fault: 'names of PostgreSQL and of the broker do not resolve for 15 s, their connections cut',
            ...result,
            boundS: 15,
            alarm: await alarm.stop(),
          },
        ]
      }),
    ),
}
