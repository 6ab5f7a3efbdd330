import { type Installation, openInstallation } from '../tools/installation.ts'
import { hasMosquitto, startMosquitto } from '../tools/mosquitto.ts'
import { type Postgres, startPostgres } from '../tools/postgres.ts'
import { freePort } from '../tools/run.ts'
import type { Row } from './results.ts'

/** `short`: part of the short form, which is part of the second tier. */
export type Drill = { name: string; short: boolean; run: (how: { short: boolean; long: boolean }) => Promise<Row[]> }

/** Runs the work, then ends what was opened, the newest first. */
export const closing = async <T>(work: (onEnd: (close: () => Promise<void>) => void) => Promise<T>): Promise<T> => {
  const closes: (() => Promise<void>)[] = []
  try {
    return await work((close) => closes.push(close))
  } finally {
    for (const close of closes.toReversed()) await close()
  }
}

/** The last lines of the logs of a failed drill are printed before they are deleted. */
export const withInstallation = async <T>(
  stores: Parameters<typeof openInstallation>[0],
  work: (installation: Installation) => Promise<T>,
): Promise<T> => {
  const installation = await openInstallation(stores)
  try {
    return await work(installation)
  } catch (error) {
    console.error(installation.logs(8))
    throw error
  } finally {
    await installation.stop()
  }
}

type Broker = { urlOf: (name: string) => string; stop: () => Promise<void> }

/** An installation with a PostgreSQL server and a broker; `urlOf` has the users `server` and `edge-lab`. */
export const withStoresAnd = <B extends Broker, T>(
  openBroker: () => Promise<B>,
  work: (from: Installation & { postgres: Postgres; broker: B }) => Promise<T>,
): Promise<T> =>
  closing(async (onEnd) => {
    const postgres = await singlePostgres()
    onEnd(postgres.stop)
    const broker = await openBroker()
    onEnd(broker.stop)
    return withInstallation({ DATABASE_URL: postgres.url, MQTT_URL: broker.urlOf('server') }, (installation) =>
      work({ ...installation, postgres, broker }),
    )
  })

export const singlePostgres = async () => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  return postgres
}

export const mosquitto = async () => {
  const broker = hasMosquitto() ? await startMosquitto({ server: 'the-server', 'edge-lab': 'gridmast-demo' }) : null
  if (!broker) throw new Error('Mosquitto is missing: apt-get install mosquitto')
  return broker
}

type Role = 'web' | 'ingest' | 'ocpp' | 'jobs'

/** A process of one role on ports of its own, which `again` starts again. */
export const startRole = async (start: Installation['start'], role: Role) => {
  const settings = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }
  const again = () => start(role, role, settings)
  return { role, again, part: await again() }
}
