import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { z } from 'zod'
import { serverOf } from '#platform/records/hosts.ts'
import type { Log } from '#platform/process/log.ts'

/**
 * What the processes on one PostgreSQL tell each other (ADR 7). Nothing is kept: whoever was away hears `missed` and reads again.
 * The store itself tells of changed rows as `session`, `user`, `customer`, `edges`, `command`, `command-answer`, `chargers`,
 * `charger-command`, `charger-answer`, `charging-site`, `charger-removed`, `charger-tags`, `edge-config`, `charger-schedule`, `load-plan` and `load-backtest`, with an id,
 * and of queued work as `outbox` (migrations 0010, 0014, 0017, 0030, 0038, 0039, 0040, 0049, 0056, 0064), with the commit and to the process that changed them too.
 */
export type News = {
  /** To every other process, within about 150 ms. */
  tell: (topic: string, data: unknown) => void
  /** Answers the function that ends it. */
  hear: (topic: string, listener: (data: unknown) => void) => () => void
  /** Said after a commit of what the store tells by itself: the embedded one has no listener, so its process hears it from here. */
  changed: (
    topic:
      | 'command'
      | 'command-answer'
      | 'charger-command'
      | 'charger-answer'
      | 'charging-site'
      | 'charger-removed'
      | 'charger-tags'
      | 'edge-config'
      | 'charger-schedule'
      | 'chargers'
      | 'load-plan'
      | 'load-backtest'
      | 'alert',
    id: string,
  ) => void
  /** Something changed that nobody told of: every listener of this process reads again. */
  missed: () => void
  /** Throws while this process neither hears nor is heard. */
  ping: () => Promise<void>
  close: () => Promise<void>
}

const openListeners = () => {
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  const hear: News['hear'] = (topic, listener) => {
    const set = listeners.get(topic) ?? new Set()
    listeners.set(topic, set.add(listener))
    return () => void set.delete(listener)
  }
  const emit = (topic: string, data: unknown) => {
    for (const listener of listeners.get(topic) ?? []) listener(data)
  }
  return { hear, emit }
}

/** For the embedded store: there is no other process, and only what is said to have changed or been missed is heard. */
export const openOwnNews = (): News => {
  const { hear, emit } = openListeners()
  const missed = () => emit('missed', null)
  return { tell: () => {}, hear, changed: emit, missed, ping: async () => {}, close: async () => {} }
}

export const noNews: News = openOwnNews()

const newsChannel = 'gridmast_news'
const changeChannel = 'gridmast_change'

/** One transaction for all that comes within this time: each that notifies takes a lock which the whole server shares. */
const batchMs = 150
const longestWaiting = 8 * 1024 * 1024
/** Each process tells itself something this often; a connection that brings none of three is dead, or a pooler that does not listen. */
const pulseMs = 10_000
const retriesMs = [250, 500, 1000, 2000, 5000]

const items = z.array(z.tuple([z.string(), z.unknown()]))

export const openNews = async ({ url, log }: { url: string; log: Log }): Promise<News> => {
  const self = randomBytes(6).toString('hex')
  const { hear, emit } = openListeners()
  let connection: { client: pg.Client; end: (why: unknown) => void } | null = null
  let joinParts = partJoiner()
  let waiting: string[] = []
  let waitingLength = 0
  let hasLost = false
  let batch = 0
  let heardMyselfMs = 0
  let failures = 0
  let isClosed = false
  let flushing: NodeJS.Timeout | undefined
  let retrying: NodeJS.Timeout | undefined

  const hearNotification = ({ channel, payload = '' }: pg.Notification) => {
    try {
      if (channel === changeChannel) {
        const [topic = '', id] = payload.split(':')
        return emit(topic, id)
      }
      if (payload.startsWith(self)) return void (heardMyselfMs = Date.now())
      const text = joinParts(payload)
      if (text === 'broken') return emit('missed', null)
      if (text) for (const [topic, data] of items.parse(JSON.parse(text))) emit(topic, data)
    } catch (error) {
      log.error({ err: error }, 'news: not understood')
    }
  }

  const flush = async () => {
    flushing = undefined
    const text = `[${[...(hasLost ? ['["missed",null]'] : []), ...waiting].join(',')}]`
    ;[waiting, waitingLength, hasLost] = [[], 0, connection === null]
    const parts = cut(text, `${self} ${++batch}`)
    await connection?.client
      .query('select pg_notify($1, part) from unnest($2::text[]) as part', [newsChannel, parts])
      .catch((error: unknown) => {
        hasLost = true
        log.warn({ err: error }, 'news: not sent')
      })
  }

  const tell: News['tell'] = (topic, data) => {
    const item = ascii(JSON.stringify([topic, data]))
    if (waitingLength + item.length > longestWaiting) return void (hasLost = true)
    waiting.push(item)
    waitingLength += item.length
    flushing ??= setTimeout(() => void flush(), batchMs)
  }

  const { connectionString, Client = pg.Client } = serverOf(url)
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
      client.end().catch(() => {}) // it may be gone already
      if (isClosed || retrying) return
      log.warn({ err: why }, 'news: no connection to the other processes, trying again')
      retrying = setTimeout(() => void connect(), retriesMs[Math.min(failures++, retriesMs.length - 1)])
    }
    client.on('error', end)
    client.on('end', () => connection?.client === client && end(new Error('The server ended the connection')))
    client.on('notification', hearNotification)
    try {
      await client.connect()
      await client.query(`listen ${newsChannel}; listen ${changeChannel}`)
      ;[connection, joinParts, heardMyselfMs, failures] = [{ client, end }, partJoiner(), Date.now(), 0]
      if (batch > 0) hasLost = true
      tell('here', null)
      // What was said before nobody here has heard.
      emit('missed', null)
    } catch (error) {
      end(error)
    }
  }

  await connect()
  const pulse = setInterval(() => {
    if (Date.now() - heardMyselfMs > 3 * pulseMs)
      connection?.end(new Error('Own news did not come back; a connection pooler must keep a session for LISTEN'))
    tell('here', null)
  }, pulseMs).unref()

  return {
    tell,
    hear,
    changed: () => {},
    missed: () => emit('missed', null),
    ping: async () => {
      if (!connection) throw new Error('No news of the other processes: the connection that listens is down')
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

/** PostgreSQL takes less than 8,000 bytes in one message. */
const partLength = 7900

/** So that a letter is a byte. */
const ascii = (text: string) =>
  text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `<sender> <batch> <part>/<of> <piece>`. Parts of one transaction come in order and together. */
const cut = (text: string, head: string): string[] => {
  const of = Math.ceil(text.length / partLength)
  return Array.from(
    { length: of },
    (_, i) => `${head} ${i + 1}/${of} ${text.slice(i * partLength, (i + 1) * partLength)}`,
  )
}

/** Answers the whole text with its last part, null before, 'broken' when a part is missing. */
const partJoiner = () => {
  const halves = new Map<string, string[]>()
  return (message: string): string | null => {
    const found = /^(\w+ \d+) (\d+)\/(\d+) /.exec(message)
    if (!found) return 'broken'
    const [start, head = '', part, of] = found
    const pieces = halves.get(head) ?? []
    halves.delete(head)
    if (pieces.length + 1 !== Number(part)) return 'broken'
    pieces.push(message.slice(start.length))
    if (part === of) return pieces.join('')
    halves.set(head, pieces)
    return null
  }
}
