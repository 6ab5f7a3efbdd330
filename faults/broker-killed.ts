import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { openEdge } from './edges.ts'
import { type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { until } from './processes.ts'
import { startRabbitmq } from './rabbitmq.ts'
import type { Row } from './results.ts'

const connected = 'gridmast_broker_connected'

type Broker = { urlOf: (name: string) => string; stop: () => Promise<void> }

/** `fault` calls `begins` at its beginning, and answers the time from which samples can be acknowledged again. */
const killed = <B extends Broker>(
  openBroker: () => Promise<B>,
  about: { fault: string; boundS: number },
  fault: (broker: B, begins: () => void) => Promise<number>,
): Promise<Row[]> =>
  withStoresAnd(openBroker, async ({ start, provision, readings, postgres, broker }) => {
    const ingest = await start('ingest', 'ingest')
    await provision('demo/world.yaml')
    const edge = await openEdge(broker.urlOf('edge-lab'), 'edge-lab', 'lab')
    try {
      const alarm = watchAlarm(`${connected} == 0`, [ingest], ([text = '']) => valueOf(text, connected) === 0)
      await until('samples are acknowledged', () => edge.acknowledged.length > 30)
      const sinceMs = await fault(broker, alarm.start)
      await until('samples are acknowledged again', () => edge.recoveryS(sinceMs) < Infinity, about.boundS * 2000)
      await pause(2000)
      await edge.finish()
      return [
        {
          ...about,
          ...(await edge.compare(postgres.ownerUrl, readings.url)),
          recoveryS: edge.recoveryS(sinceMs),
          alarm: await alarm.stop(),
          detail: `${edge.acknowledged.length * 5} samples acknowledged`,
        },
      ]
    } finally {
      await edge.close()
    }
  })

export const mosquittoKilled: Drill = {
  name: 'mosquitto-killed',
  short: false,
  run: () =>
    killed(
      mosquitto,
      { fault: 'kill -9 of Mosquitto, started again after 5 s', boundS: 10 },
      async (broker, begins) => {
        begins()
        await broker.kill()
        await pause(5000)
        await broker.restart()
        return Date.now()
      },
    ),
}

export const rabbitmqKilled: Drill = {
  name: 'rabbitmq-killed',
  short: false,
  run: () =>
    killed(
      startRabbitmq,
      { fault: 'kill -9 of the node of RabbitMQ that `ingest` reads (three nodes behind HAProxy)', boundS: 30 },
      async (broker, begins) => {
        const kill = broker.nodeOf('gridmast')
        begins()
        kill()
        return Date.now()
      },
    ),
}

export const rabbitmqMinority: Drill = {
  name: 'rabbitmq-minority',
  short: false,
  run: () =>
    killed(
      startRabbitmq,
      { fault: 'kill -9 of two of three nodes of RabbitMQ, started again after 20 s', boundS: 180 },
      async (broker, begins) => {
        begins()
        const startBoth = broker.killAllBut('gridmast')
        await pause(20_000)
        startBoth()
        return Date.now()
      },
    ),
}
