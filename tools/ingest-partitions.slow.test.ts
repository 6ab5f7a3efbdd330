import { once } from 'node:events'
import { connect, type IConnackPacket } from 'mqtt'
import pg from 'pg'
import { expect, test } from 'vitest'
import { metricsOf, valueOf } from '../faults/alarms.ts'
import { type Edge, openEdge } from '../faults/edges.ts'
import { closing, singlePostgres, withInstallation } from '../faults/frame.ts'
import { partitionOf } from '../server/src/delivery/instances/partition.ts'
import { newId } from '../server/src/platform/records/ids.ts'
import type { Installation, Part } from './installation.ts'
import { hasMosquitto, startMosquitto } from './mosquitto.ts'

const progress = ['alert_progress', 'event_progress'] as const
const patiently = { timeout: 90_000, interval: 50 }
const password = 'gridmast-demo'
const edges = [
  { key: 'edge-lab', group: 'lab' },
  { key: 'edge-nord-02', group: 'ladepark' },
] as const

type Mosquitto = NonNullable<Awaited<ReturnType<typeof startMosquitto>>>
type World = Installation & { query: pg.Client; mosquitto: Mosquitto; ownerUrl: string }

const withWorld = (work: (world: World) => Promise<void>) =>
  closing(async (onEnd) => {
    const postgres = await singlePostgres()
    onEnd(postgres.stop)
    const mosquitto = await startMosquitto({ server: 'the-server', 'edge-lab': password, 'edge-nord-02': password })
    if (!mosquitto) throw new Error('Mosquitto is missing')
    onEnd(mosquitto.stop)
    const query = new pg.Client({ connectionString: postgres.ownerUrl })
    await query.connect()
    onEnd(() => query.end())
    const stores = { DATABASE_URL: postgres.url, MQTT_URL: mosquitto.urlOf('server') }
    await withInstallation(stores, (installation) =>
      work({ ...installation, query, mosquitto, ownerUrl: postgres.ownerUrl }),
    )
  })

const partitionsHeld = async (parts: readonly Part[]) => {
  const counts: (number | null)[] = []
  for (const part of parts) counts.push(valueOf(await metricsOf(part), 'gridmast_ingest_partitions_held') ?? null)
  return counts
}
const start = ({ start: startPart }: World, name: string, partitions: number) =>
  startPart(name, 'ingest', { INGEST_PARTITIONS: String(partitions) })
const end = async ({ process: child }: Part, signal: 'SIGKILL' | 'SIGTERM') => {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Power of these edges rises by one a second: one crossing of the threshold. */
const addAlerts = async ({ query }: World, sinceMs: number) => {
  for (const { group } of edges)
    await query.query(
      `insert into alert (customer_id, alert_id, instance_id, name, type, criteria, threshold, email, notification, interval_minutes, valid_from, created_at)
       select customer_id, $1, instance_id, 'Above', 'power', 'gt', 100, 'ops@north.example', true, 0, $2, $2 from instance where key = $3`,
      [newId(), new Date(sinceMs), group],
    )
  await query.query(`select pg_notify('gridmast_change', 'resync:')`)
}

/** A fall of the frequency for 200 s is one activation. */
const frequencyOf = (sample: number) => (sample >= 150 && sample < 350 ? 49.7 : 50)

const openEdges = async ({ mosquitto }: World): Promise<Edge[]> => {
  const opened: Edge[] = []
  for (const { key, group } of edges) opened.push(await openEdge(mosquitto.urlOf(key), key, group, frequencyOf))
  return opened
}
const acknowledged = (some: readonly Edge[], more: number) => {
  const before = some.map((edge) => edge.acknowledged.length)
  return expect
    .poll(() => some.every((edge, i) => edge.acknowledged.length >= (before[i] ?? 0) + more), patiently)
    .toBe(true)
}
const countsOf = async ({ query }: World) => {
  const { rows } = await query.query(
    `select i.key, (select count(*)::int from alert_trigger t where t.instance_id = i.instance_id) as triggers,
       (select json_agg(e.ended_at is not null) from event e where e.instance_id = i.instance_id) as activations
     from instance i where i.key = any ($1) order by i.key`,
    [edges.map(({ group }) => group)],
  )
  return rows
}
const once1 = { triggers: 1, activations: [true] }
const isOnce = [
  { key: 'ladepark', ...once1 },
  { key: 'lab', ...once1 },
].toSorted((a, b) => (a.key < b.key ? -1 : 1))

test.skipIf(!hasMosquitto())(
  'D1: two processes share the partitions; at each handover and kill no acknowledged sample is lost, and each alert and activation is one row',
  { timeout: 600_000 },
  () =>
    withWorld(async (world) => {
      expect(edges.map(({ key }) => partitionOf(key, 4))).toEqual([1, 4])
      const first = await start(world, 'ingest-1', 4)
      await expect.poll(() => partitionsHeld([first]), patiently).toEqual([4])
      await world.provision('demo/world.yaml')
      const sinceMs = Date.now() - 2 * 86_400_000
      await addAlerts(world, sinceMs)
      const opened = await openEdges(world)
      try {
        await acknowledged(opened, 10)

        // Messages are sent while half of the partitions change hands.
        const second = await start(world, 'ingest-2', 4)
        await expect.poll(() => partitionsHeld([first, second]), patiently).toEqual([2, 2])
        await acknowledged(opened, 20)

        // In the middle of the activations.
        await end(first, 'SIGKILL')
        await acknowledged(opened, 20)
        expect(await partitionsHeld([second])).toEqual([4])

        const third = await start(world, 'ingest-3', 4)
        await expect.poll(() => partitionsHeld([second, third]), patiently).toEqual([2, 2])
        await acknowledged(opened, 20)
        await end(second, 'SIGTERM')
        await expect.poll(() => partitionsHeld([third]), patiently).toEqual([4])
        await acknowledged(opened, 20)

        for (const edge of opened) await edge.finish()
        for (const edge of opened)
          expect(await edge.compare(world.ownerUrl, world.readings.url)).toEqual({ lost: 0, doubled: 0 })
        await expect.poll(() => countsOf(world), patiently).toEqual(isOnce)
      } finally {
        for (const edge of opened) await edge.close()
      }
    }),
)

test.skipIf(!hasMosquitto())(
  'D1: another INGEST_PARTITIONS: edges repeat what waited in the earlier sessions, which are discarded, and alerts and events continue',
  { timeout: 600_000 },
  () =>
    withWorld(async (world) => {
      const clients = async (table: string) => {
        const { rows } = await world.query.query<{ client: string; version: string }>(
          `select client, version::text from ${table} order by client`,
        )
        return rows
      }
      const sessionOf = async (clientId: string) => {
        const client = connect(world.mosquitto.urlOf('server'), { clientId, clean: false, protocolVersion: 4 })
        const { sessionPresent } = await new Promise<IConnackPacket>((resolve) => client.once('connect', resolve))
        await client.endAsync()
        return sessionPresent
      }
      const one = await start(world, 'ingest-1', 1)
      await expect.poll(() => partitionsHeld([one]), patiently).toEqual([1])
      await world.provision('demo/world.yaml')
      await addAlerts(world, Date.now() - 2 * 86_400_000)
      const opened = await openEdges(world)
      try {
        await acknowledged(opened, 35)
        const waiting = await start(world, 'ingest-2', 4)
        expect(await partitionsHeld([waiting])).toEqual([0])
        await acknowledged(opened, 5)
        const before = await Promise.all(progress.map(clients))
        expect(before.map(([one]) => one?.client)).toEqual(['gridmast', 'gridmast'])
        await end(one, 'SIGKILL')
        await expect.poll(() => partitionsHeld([waiting]), patiently).toEqual([4])
        await acknowledged(opened, 40)
        for (const edge of opened) await edge.finish()
        for (const edge of opened)
          expect(await edge.compare(world.ownerUrl, world.readings.url)).toEqual({ lost: 0, doubled: 0 })
        await expect.poll(() => countsOf(world), patiently).toEqual(isOnce)
        const names = ['gridmast-1-of-4', 'gridmast-2-of-4', 'gridmast-3-of-4', 'gridmast-4-of-4']
        for (const [i, table] of progress.entries()) {
          await expect.poll(async () => (await clients(table)).map(({ client }) => client), patiently).toEqual(names)
          for (const { version } of await clients(table))
            expect(Number(version)).toBeGreaterThanOrEqual(Number(before[i]?.[0]?.version))
        }
        await end(waiting, 'SIGTERM')
        expect(await sessionOf('gridmast-4-of-4')).toBe(true)
        expect(await sessionOf('gridmast')).toBe(false)
      } finally {
        for (const edge of opened) await edge.close()
      }
    }),
)
