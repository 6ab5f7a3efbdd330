import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { openTestApp } from '#testing/app.ts'
import type { App } from '#context.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { hashMachineSecret } from '#platform/security/token.ts'
import type { Records } from '#platform/records/records.ts'
import { startCentral } from './central.ts'
import { insertRow } from '#platform/records/rows.ts'

export const key = 'a key of 20 bytes or more'

type Made = { identity: string; customer?: string; profile?: number; maxKw?: number; password?: string }

export const addChargers = (records: Records, chargers: readonly Made[]) =>
  records.system(async (tx) => {
    for (const { identity, customer = 'north', profile = 1, maxKw = 22, password = key } of chargers) {
      const customer_id = idOf('customer', customer)
      const licence_id = idOf('licence', customer, 'evCharging')
      const licences = { evCharging: licence_id, CFM: idOf('licence', customer, 'CFM') }
      await tx
        .insertInto('licence')
        .values(
          Object.entries(licences).map(([type, id]) => ({
            customer_id,
            licence_id: id,
            type,
            name: type,
            icon: 'bolt',
            enabled: true,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await insertRow(tx, customer_id, 'charger', {
        charger_id: idOf('charger', customer, identity),
        identity,
        name: identity,
        licence_id,
        charger_type: 'AC',
        connectors: 2,
        max_kw: maxKw,
        security_profile: profile,
        position: 0,
        password_hash: hashMachineSecret(password),
      }).execute()
    }
  })

export const addTags = (
  records: Records,
  tags: readonly { tag: string; customer?: string; active?: boolean; groupId?: string | null; expiresAt?: Date }[],
) =>
  records.system(async (tx) => {
    const nowMs = Date.now()
    for (const [at, { tag, customer = 'north', active = true, groupId = null, expiresAt = null }] of tags.entries())
      await insertRow(tx, idOf('customer', customer), 'charger_tag', {
        tag_id: newId(),
        tag,
        name: tag,
        active,
        group_id: groupId,
        expires_at: expiresAt,
        created_at: new Date(nowMs - tags.length + at),
      }).execute()
  })

export const openDoor = async (app: App) => {
  const central = await startCentral(app)
  const server = createServer((_, answer) => answer.writeHead(404).end())
  central.attach(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    attach: central.attach,
    flush: central.flush,
    balance: central.balance,
    beat: central.beat,
    close: async () => {
      await central.close()
      server.close()
    },
  }
}

type Answer = { id: string; text: string; payload: Record<string, unknown>; error: string | null }
type ReceivedCall = { action: string; payload: Record<string, unknown> }

export const basic = (user: string, password: string | Buffer) =>
  `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(password)]).toString('base64')}`

export type Connect = {
  version?: string | string[]
  password?: string | Buffer
  path?: string
  headers?: Record<string, string>
  onAsked?: (asked: ReceivedCall) => Record<string, unknown> | null
}

export const connectCharger = async (port: number, identity: string, options: Connect = {}) => {
  const { version = 'ocpp1.6', password = key, path = `/ocpp/${identity}`, headers = {} } = options
  const authorization = basic(identity, password)
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, version, {
    headers: { authorization, ...headers },
    rejectUnauthorized: false,
  })
  const waiting = new Map<string, (answer: Answer) => void>()
  const asked: ReceivedCall[] = []
  const said: string[] = []
  let count = 0
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    said.push(text)
    const [type, id, third, fourth] = JSON.parse(text) as [number, string, unknown, unknown] // our own server's frames
    if (type === 2) {
      const call = { action: String(third), payload: fourth as Record<string, unknown> }
      asked.push(call)
      const answer = options.onAsked ? options.onAsked(call) : { status: 'Accepted' }
      if (answer) socket.send(JSON.stringify([3, id, answer]))
      return
    }
    const payload = (type === 3 ? third : {}) as Record<string, unknown>
    waiting.get(id)?.({ id, text, payload, error: type === 4 ? String(third) : null })
    waiting.delete(id)
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => {
      socket.terminate()
      reject(new Error(String(response.statusCode)))
    })
    socket.once('close', () => reject(new Error('closed')))
  })
  const call = (action: string, payload: object, id = `${identity}-${++count}`) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.set(id, resolve)
      void closed.then(() => reject(new Error('closed')))
      socket.send(JSON.stringify([2, id, action, payload]))
    })
  return {
    socket,
    asked,
    said,
    closed,
    call,
    boot: () =>
      call('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'One', firmwareVersion: '1.0' }),
    close: async () => {
      socket.close()
      await closed
    },
  }
}
export type TestCharger = Awaited<ReturnType<typeof connectCharger>>

export const iso = (agoS: number) => new Date(Date.now() - agoS * 1000).toISOString()

type Tags = Parameters<typeof addTags>[1]

export const openBench = async (chargers: readonly (string | Made)[], tags: Tags = []) => {
  const app = await openTestApp()
  await addChargers(
    app.records,
    chargers.map((one) => (typeof one === 'string' ? { identity: one } : one)),
  )
  await addTags(app.records, tags)
  const door = await openDoor(app)
  const open: TestCharger[] = []
  return {
    app,
    door,
    connect: async (identity: string, options: Connect = {}) => {
      const charger = await connectCharger(door.port, identity, options)
      open.push(charger)
      return charger
    },
    rowsOf: (identity: string) =>
      app.records.system((tx) =>
        tx
          .selectFrom('charger_transaction as t')
          .innerJoin('charger as c', 'c.charger_id', 't.charger_id')
          .selectAll('t')
          .where('c.identity', '=', identity)
          .orderBy('t.no')
          .execute(),
      ),
    hangUp: async () => {
      for (const charger of open.splice(0)) await charger.close()
    },
    close: async () => {
      await door.close()
      await app.close()
    },
  }
}
export type Bench = Awaited<ReturnType<typeof openBench>>
