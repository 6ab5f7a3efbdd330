import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { metricsOf, watchAlarm } from './alarms.ts'
import { openChanges } from './changes.ts'
import { openCharger } from './chargers.ts'
import { openEdge } from './edges.ts'
import { closing, type Drill, mosquitto, startRole, withStoresAnd } from './frame.ts'
import { until } from './processes.ts'

const countOf = ({ short, long }: { short: boolean; long: boolean }) => (short ? 4 : long ? 300 : 20)

export const rolesKilled: Drill = {
  name: 'roles-killed',
  short: true,
  run: (how) =>
    withStoresAnd(mosquitto, ({ start, provision, readings, postgres, broker }) =>
      closing(async (onEnd) => {
        const web = await startRole(start, 'web')
        await provision('demo/world.yaml')
        const all = [
          web,
          await startRole(start, 'ingest'),
          await startRole(start, 'ocpp'),
          await startRole(start, 'jobs'),
        ]
        const [, , ocpp = web] = all
        const edge = await openEdge(broker.urlOf('edge-lab'), 'edge-lab', 'lab')
        onEnd(edge.close)
        const changes = await openChanges(web.part, 'roles')
        await until('a tag is created', () => changes.acknowledged() > 0)
        const charger = openCharger(ocpp.part, { identity: 'NH-01', tag: 'roles 1' })
        onEnd(async () => charger.close())
        await until('samples, changes and sessions are acknowledged', () => {
          return edge.acknowledged.length > 20 && changes.acknowledged() > 5 && charger.answered.length > 5
        })
        const isDown = async ({ part }: (typeof all)[number]) => (await metricsOf(part)) === ''
        const alarm = watchAlarm(
          'up == 0',
          all.map(({ part }) => part),
          (metrics) => metrics.includes(''),
        )
        alarm.start()
        const slowest = new Map<string, number>()
        const kills = countOf(how)
        for (let kill = 0; kill < kills; kill++) {
          const one = all[kill % all.length] ?? web
          await pause(Math.random() * 3000)
          const ended = once(one.part.process, 'exit')
          one.part.process.kill('SIGKILL')
          const faultMs = Date.now()
          await ended
          one.part = await one.again()
          await until(`${one.role} answers`, async () => !(await isDown(one)))
          const recoveryS = {
            web: () => changes.recoveryS(faultMs),
            ingest: () => edge.recoveryS(faultMs),
            ocpp: () => charger.recoveryS(faultMs),
            jobs: () => 0,
          }[one.role]
          await until(`${one.role} acknowledges again`, () => recoveryS() < Infinity)
          const seconds = one.role === 'jobs' ? (Date.now() - faultMs) / 1000 : recoveryS()
          slowest.set(one.role, Math.max(slowest.get(one.role) ?? 0, seconds))
        }
        await Promise.all([edge.finish(), changes.finish(), charger.finish()])
        const compared = [
          await edge.compare(postgres.ownerUrl, readings.url),
          await changes.compare(postgres.ownerUrl),
          await charger.compare(postgres.ownerUrl),
        ]
        const each = [...slowest].map(([role, seconds]) => `${role} ${seconds.toFixed(1)} s`).join(', ')
        return [
          {
            fault:
              'kill -9 of `web`, `ingest`, `ocpp` and `jobs` in turn at random moments, each started again at once',
            lost: compared.reduce((sum, { lost }) => sum + lost, 0),
            doubled: compared.reduce((sum, { doubled }) => sum + doubled, 0),
            recoveryS: Math.max(...slowest.values()),
            boundS: 20,
            alarm: await alarm.stop(),
            detail: `${kills} kills; ${edge.acknowledged.length * 5} samples, changes: ${changes.statuses()}, ${charger.answered.length} sessions; longest of each role: ${each}`,
          },
        ]
      }),
    ),
}
