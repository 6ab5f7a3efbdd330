import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { openChanges } from './changes.ts'
import { closing, type Drill, withInstallation } from './frame.ts'
import { startHaproxy } from './haproxy.ts'
import { startPatroni } from './patroni.ts'
import { until } from './processes.ts'
import type { Row } from './results.ts'

const ready = 'gridmast_part_ready{part="records"}'

type Patroni = Awaited<ReturnType<typeof startPatroni>>

/** `reach` answers the address of the database. */
const killed = (
  fault: string,
  reach: (patroni: Patroni, onEnd: (close: () => Promise<void>) => void) => Promise<string>,
): Promise<Row[]> =>
  closing(async (onEnd) => {
    const patroni = await startPatroni()
    onEnd(patroni.stop)
    return withInstallation({ DATABASE_URL: await reach(patroni, onEnd) }, async ({ start, provision }) => {
      const web = await start('web', 'web,jobs')
      await provision('demo/world.yaml')
      const changes = await openChanges(web)
      const alarm = watchAlarm(`${ready} == 0`, [web], ([text = '']) => valueOf(text, ready) === 0)
      await until('changes are acknowledged', () => changes.acknowledged() > 20)
      await pause(5000)
      const faultMs = alarm.start()
      patroni.killPrimary()
      await until('changes are acknowledged again', () => changes.recoveryS(faultMs) < Infinity, 90_000)
      await pause(5000)
      await changes.finish()
      return [
        {
          fault,
          ...(await changes.compare(patroni.superuser)),
          recoveryS: changes.recoveryS(faultMs),
          boundS: 30,
          alarm: await alarm.stop(),
          detail: `changes over HTTP: ${changes.statuses()}`,
        },
      ]
    })
  })

export const primaryKilled: Drill = {
  name: 'primary-killed',
  short: false,
  run: () => killed('kill -9 of the primary of PostgreSQL (Patroni, synchronous standby)', async ({ url }) => url),
}

export const primaryKilledBehindHaproxy: Drill = {
  name: 'primary-killed-haproxy',
  short: false,
  run: () =>
    killed('kill -9 of the primary of PostgreSQL behind HAProxy', async ({ nodes }, onEnd) => {
      const haproxy = await startHaproxy({ postgres: nodes })
      onEnd(haproxy.stop)
      return `postgres://gridmast@127.0.0.1:${haproxy.postgres}/gridmast`
    }),
}
