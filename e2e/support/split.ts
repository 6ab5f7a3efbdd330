import { openInstallation, type Part } from '../../tools/installation.ts'
import { startMosquitto } from '../../tools/mosquitto.ts'
import { startPostgres } from '../../tools/postgres.ts'

export type { Part } from '../../tools/installation.ts'

const edges = ['edge-nord-01', 'edge-nord-02', 'edge-esb-01', 'edge-lab']

export type Split = {
  urlOf: (name: string) => string
  web: Part
  otherWeb: Part
  ingest: Part
  startIngest: () => Promise<Part>
  stop: () => Promise<void>
}

/**
 * An installation in several processes: PostgreSQL, Mosquitto with passwords and access list, a readings server, two of `ROLES=web,jobs` and
 * `web`, one of `ingest` with four partitions (a second one shares them), and the edges of the demo world. Null without PostgreSQL or Mosquitto.
 */
export const startSplit = async (): Promise<Split | null> => {
  const [postgres, mosquitto] = await Promise.all([
    startPostgres(),
    startMosquitto({ server: 'the-server', ...Object.fromEntries(edges.map((edge) => [edge, 'gridmast-demo'])) }),
  ])
  const stopOutside = async () => {
    await postgres?.stop()
    await mosquitto?.stop()
  }
  if (!postgres || !mosquitto) {
    await stopOutside()
    return null
  }
  const installation = await openInstallation({
    DATABASE_URL: postgres.url,
    MQTT_URL: mosquitto.urlOf('server'),
  }).catch(async (error: unknown) => {
    await stopOutside()
    throw error
  })
  const stop = async () => {
    await installation.stop()
    await stopOutside()
  }
  try {
    let ingests = 0
    const startIngest = () => installation.start(`ingest-${++ingests}`, 'ingest', { INGEST_PARTITIONS: '4' })
    const [web, otherWeb, ingest] = await Promise.all([
      installation.start('web', 'web,jobs'),
      installation.start('web-2', 'web'),
      startIngest(),
    ])
    // While all of them run: the ingest is notified of its edges by PostgreSQL.
    await installation.provision('demo/world.yaml')
    return { urlOf: mosquitto.urlOf, web, otherWeb, ingest, startIngest, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
