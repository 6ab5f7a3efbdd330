import { type Installation, openInstallation } from '../tools/installation.ts'
import { hasMosquitto, startMosquitto } from '../tools/mosquitto.ts'
import { startPostgres } from '../tools/postgres.ts'
import type { Row } from './results.ts'

/** `short`: part of the short form, which is part of the second tier. */
export type Drill = { name: string; short: boolean; run: (how: { short: boolean }) => Promise<Row[]> }

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

/** An installation with a PostgreSQL server and a broker. */
export const withStoresAndBroker = <T>(
  work: (
    from: Installation & {
      postgres: Awaited<ReturnType<typeof singlePostgres>>
      mosquitto: Awaited<ReturnType<typeof broker>>
    },
  ) => Promise<T>,
): Promise<T> =>
  closing(async (onEnd) => {
    const postgres = await singlePostgres()
    onEnd(postgres.stop)
    const mosquitto = await broker()
    onEnd(mosquitto.stop)
    return withInstallation({ DATABASE_URL: postgres.url, MQTT_URL: mosquitto.urlOf('server') }, (installation) =>
      work({ ...installation, postgres, mosquitto }),
    )
  })

export const singlePostgres = async () => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  return postgres
}

const broker = async () => {
  const mosquitto = hasMosquitto() ? await startMosquitto({ server: 'the-server', 'edge-lab': 'gridmast-demo' }) : null
  if (!mosquitto) throw new Error('Mosquitto is missing: apt-get install mosquitto')
  return mosquitto
}
