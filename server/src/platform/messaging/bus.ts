import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { z } from 'zod'
import type { Log } from '#platform/process/log.ts'
import type { Server } from '#platform/records/pool.ts'
import { changeChannel, getPending } from '#platform/records/pending.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { After } from '#platform/process/clock.ts'

/** Row changes of the records store, each with the id that follows it. */
export type Topic =
  | 'session' // of the session or API key
  | 'customer'
  | 'edges' // of the customer
  | 'edge-config' // of the edge
  | 'command'
  | 'command-answer' // of the command
  | 'alert'
  | 'chargers' // of the customer
  | 'charger-command'
  | 'charger-answer' // of the command
  | 'charger-schedule' // of the charger
  | 'charger-tags' // of the customer
  | 'charging-site'
  | 'load-plan'
  | 'load-backtest'
  | 'outbox' // without an id
  | 'resync' // without an id: listeners of all topics reload

/**
 * Notifies the listeners of all processes, this one included, at commit: on PostgreSQL by a NOTIFY of the transaction, on the embedded store
 * by a call after the commit. Equal changes of one transaction are notified once.
 */
export const rowChanged = (tx: Tx, topic: Topic, id = ''): void => {
  getPending(tx).changes.push(`${topic}:${id}`)
}

/**
 * Messages between the processes of one PostgreSQL (ADR 7, ADR 13). Nothing is stored: after a disconnect a process receives `resync` and
 * reloads.
 */
export type Bus = {
  /** Sends to all other processes, within about 150 ms. */
  broadcast: (topic: string, data: unknown) => void
  /** Receives broadcast data and the ids of changed rows. Answers the unsubscribe function. */
  listen: (topic: string, listener: (data: unknown) => void) => () => void
  resync: () => void
  /** Throws while this process is disconnected from the others. */
  ping: () => Promise<void>
  close: () => Promise<void>
}

const openListeners = (log: Log) => {
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  const listen: Bus['listen'] = (topic, listener) => {
    const set = listeners.get(topic) ?? new Set()
    listeners.set(topic, set.add(listener))
    return () => void set.delete(listener)
  }
  const emit = (topic: string, data: unknown) => {
    for (const listener of listeners.get(topic) ?? [])
      try {
        listener(data)
      } catch (error) {
        log.error({ err: error, topic }, 'bus: listener failed')
      }
  }
  const emitChange = (change: string) => {
    const [topic = '', id] = change.split(':')
    emit(topic, id)
  }
  return { listen, emit, emitChange }
}

const quiet = {
  broadcast: () => {},
  listen: () => () => {},
  resync: () => {},
  ping: async () => {},
  close: async () => {},
}

export const noBus: Bus = quiet

export const openEmbeddedBus = (records: Pick<Records, 'onChange'>, log: Log): Bus => {
  const { listen, emit, emitChange } = openListeners(log)
  const stop = records.onChange(emitChange)
  return { ...quiet, listen, resync: () => emit('resync', null), close: async () => stop() }
}

const newsChannel = 'gridmast_news'

/** All messages of this interval share one transaction: each notifying transaction takes a server-wide lock. */
const batchMs = 150
const longestWaiting = 8 * 1024 * 1024
/** Interval of a message to this process itself; a connection that misses three is dead, or a pooler without LISTEN. */
const pulseMs = 10_000
const retriesMs = [250, 500, 1000, 2000, 5000]

const items = z.array(z.tuple([z.string(), z.unknown()]))

const openServerBus = async ({ connectionString, Client = pg.Client }: Server, log: Log): Promise<Bus> => {
  const self = randomBytes(6).toString('hex')
  const { listen, emit, emitChange } = openListeners(log)
  let connection: { client: pg.Client; end: (why: unknown) => void } | null = null
  let joinParts = partJoiner()
  let waiting: string[] = []
  let waitingLength = 0
  let hasLost = false
  let batch = 0
  let ownPulseMs = 0
  let failures = 0
  let isClosed = false
  let flushing: NodeJS.Timeout | undefined
  let retrying: NodeJS.Timeout | undefined

  const receive = ({ channel, payload = '' }: pg.Notification) => {
    try {
      if (channel === changeChannel) return emitChange(payload)
      if (payload.startsWith(self)) return void (ownPulseMs = performance.now())
      const text = joinParts(payload)
      if (text === 'broken') return emit('resync', null)
      if (text) for (const [topic, data] of items.parse(JSON.parse(text))) emit(topic, data)
    } catch (error) {
      log.error({ err: error }, 'bus: unreadable message')
    }
  }

  const flush = async () => {
    flushing = undefined
    const text = `[${[...(hasLost ? ['["resync",null]'] : []), ...waiting].join(',')}]`
    ;[waiting, waitingLength, hasLost] = [[], 0, connection === null]
    const parts = cut(text, `${self} ${++batch}`)
    await connection?.client
      .query('select pg_notify($1, part) from unnest($2::text[]) as part', [newsChannel, parts])
      .catch((error: unknown) => {
        hasLost = true
        log.warn({ err: error }, 'bus: broadcast failed')
      })
  }

  const broadcast: Bus['broadcast'] = (topic, data) => {
    const item = ascii(JSON.stringify([topic, data]))
    if (waitingLength + item.length > longestWaiting) return void (hasLost = true)
    waiting.push(item)
    waitingLength += item.length
    flushing ??= setTimeout(() => void flush(), batchMs)
  }

  const connect = async () => {
    retrying = undefined
    const client = new Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      application_name: 'gridmast news',
    })
    const end = (why: unknown) => {
      if (connection?.client === client) connection = null
      client.removeAllListeners('notification')
      client.end().catch(() => {}) // it may be closed already
      if (isClosed || retrying) return
      log.warn({ err: why }, 'bus: disconnected from the other processes, reconnecting')
      retrying = setTimeout(() => void connect(), retriesMs[Math.min(failures++, retriesMs.length - 1)])
    }
    client.on('error', end)
    client.on('end', () => connection?.client === client && end(new Error('The server ended the connection')))
    client.on('notification', receive)
    try {
      await client.connect()
      await client.query(`listen ${newsChannel}; listen ${changeChannel}`)
      ;[connection, joinParts, ownPulseMs, failures] = [{ client, end }, partJoiner(), performance.now(), 0]
      if (batch > 0) hasLost = true
      broadcast('here', null)
      emit('resync', null)
    } catch (error) {
      end(error)
    }
  }

  await connect()
  const pulse = setInterval(() => {
    if (performance.now() - ownPulseMs > 3 * pulseMs)
      connection?.end(new Error('Own messages did not come back; a connection pooler must keep a session for LISTEN'))
    broadcast('here', null)
  }, pulseMs).unref()

  return {
    broadcast,
    listen,
    resync: () => emit('resync', null),
    ping: async () => {
      if (!connection) throw new Error('No messages of the other processes: the connection that listens is down')
    },
    close: async () => {
      isClosed = true
      clearInterval(pulse)
      clearTimeout(retrying)
      clearTimeout(flushing)
      await connection?.client.end()
    },
  }
}

export const openBus = async ({
  records,
  log,
}: {
  records: Pick<Records, 'server' | 'onChange'>
  log: Log
}): Promise<Bus> => (records.server ? openServerBus(records.server, log) : openEmbeddedBus(records, log))

/** PostgreSQL limits a NOTIFY payload to less than 8,000 bytes. */
const partLength = 7900

const ascii = (text: string) =>
  text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `<sender> <batch> <part>/<of> <piece>`; the parts of one transaction arrive together and in order. */
const cut = (text: string, head: string): string[] => {
  const of = Math.ceil(text.length / partLength)
  return Array.from(
    { length: of },
    (_, i) => `${head} ${i + 1}/${of} ${text.slice(i * partLength, (i + 1) * partLength)}`,
  )
}

/** The complete text at the last part, null before, 'broken' when a part is missing. */
const partJoiner = () => {
  const incomplete = new Map<string, string[]>()
  return (message: string): string | null => {
    const match = /^(\w+ \d+) (\d+)\/(\d+) /.exec(message)
    if (!match) return 'broken'
    const [start, head = '', part, of] = match
    const pieces = incomplete.get(head) ?? []
    incomplete.delete(head)
    if (pieces.length + 1 !== Number(part)) return 'broken'
    pieces.push(message.slice(start.length))
    if (part === of) return pieces.join('')
    incomplete.set(head, pieces)
    return null
  }
}

type Awaited = { topic: string; id: string; waitMs: number; isAnswered: () => Promise<boolean> }

/** Resolves when the bus reports the id under the topic, or after `waitMs`; the row has the result. */
export const awaitAnswer = (
  { bus, after }: { bus: Bus; after: After },
  { topic, id, waitMs, isAnswered }: Awaited,
): { ended: Promise<void>; stop: () => void } => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  // After a missed message the row is the only source.
  const checkRow = () =>
    void isAnswered().then(
      (yes) => yes && end(),
      () => {},
    )
  const stops = [
    bus.listen(topic, (answeredId) => answeredId === id && end()),
    bus.listen('resync', checkRow),
    after(waitMs, end),
  ]
  return { ended, stop: () => stops.forEach((stop) => stop()) }
}
