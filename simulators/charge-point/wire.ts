import { randomUUID } from 'node:crypto'
import { minuteMs } from '@gridmast/contract/time.ts'
import { WebSocket } from 'ws'

/** OCPP-J on the charger's side: one call at a time, sent again with the same id after each reconnect until it is answered. */

export type Payload = Record<string, unknown>
export type Wire = {
  say: (action: string, payload: Payload) => Promise<Payload | null>
  isOpen: () => boolean
  cut: (forMs?: number) => void
  resume: () => void
  /** Faults: neither sends nor answers; ignores the next answer to an action; repeats the given number of old messages. */
  silence: (isSilent: boolean) => void
  loseNext: (action: string) => void
  replay: (count: number) => void
  close: () => void
}

type PendingCall = { id: string; action: string; payload: Payload; resolve: (answer: Payload | null) => void }

export type WireOptions = {
  url: string
  identity: string
  password: string
  version: string
  onAsked: (action: string, payload: Payload) => Payload
  greet: () => [action: string, payload: Payload]
  log?: (text: string) => void
  retryMs?: number
}

const maxRetryMs = minuteMs

export const openWire = (options: WireOptions): Wire => {
  const { identity, password, version, retryMs = 1000, log = () => {} } = options
  const owed: PendingCall[] = []
  let socket: WebSocket | null = null
  const said: PendingCall[] = []
  const maxReceived = 1000
  let isSilent = false
  let isCut = false
  let lost: string | null = null
  let isClosed = false
  let isGreeted = false
  let failures = 0
  let retrying: NodeJS.Timeout | undefined

  const send = (message: unknown[]) => {
    if (!isSilent && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const sendNext = () => {
    const [next] = owed
    if (next && isGreeted) send([2, next.id, next.action, next.payload])
  }

  const hear = (text: string, greeting: string) => {
    if (isSilent) return
    const [type, id, third, fourth] = JSON.parse(text) as [number, string, unknown, unknown] // a central system's own frames
    if (type === 2) return send([3, id, options.onAsked(String(third), (fourth ?? {}) as Payload)])
    if (id === greeting) {
      isGreeted = true
      failures = 0
      return sendNext()
    }
    const [first] = owed
    if (first?.id !== id) return
    if (first.action === lost) {
      lost = null
      return socket?.terminate()
    }
    owed.shift()
    said.push(first)
    if (said.length > maxReceived) said.shift()
    if (type === 4) log(`${identity}: ${first.action} was refused: ${String(third)}`)
    first.resolve(type === 3 ? (third as Payload) : null)
    sendNext()
  }

  const connect = () => {
    const greeting = randomUUID()
    const auth = `${identity}:${password}`
    const opened = new WebSocket(`${options.url}/${encodeURIComponent(identity)}`, version, { auth })
    socket = opened
    opened.on('open', () => opened.send(JSON.stringify([2, greeting, ...options.greet()])))
    opened.on('message', (data: Buffer) => hear(data.toString(), greeting))
    opened.on('error', () => {})
    opened.on('close', () => {
      if (socket === opened) [socket, isGreeted] = [null, false]
      if (isClosed || isCut) return
      // Spreads the reconnects after a restart of the server.
      const waitMs = Math.min(maxRetryMs, retryMs * 2 ** failures++) * (0.5 + Math.random())
      retrying = setTimeout(connect, waitMs)
    })
  }
  const resume = () => {
    if (!isCut || isClosed) return
    isCut = false
    clearTimeout(retrying)
    connect()
  }
  connect()

  return {
    say: (action, payload) =>
      new Promise((resolve) => {
        owed.push({ id: randomUUID(), action, payload, resolve })
        if (owed.length === 1) sendNext()
      }),
    isOpen: () => isGreeted && !isSilent,
    cut: (forMs) => {
      isCut = true
      clearTimeout(retrying)
      socket?.terminate()
      if (forMs !== undefined) retrying = setTimeout(resume, forMs)
    },
    resume,
    silence: (wanted) => {
      isSilent = wanted
      if (!isSilent) sendNext()
    },
    loseNext: (action) => {
      lost = action
    },
    replay: (count) => {
      const again = said.slice(-count).map((one): PendingCall => ({ ...one, id: randomUUID(), resolve: () => {} }))
      owed.push(...again)
      if (owed.length === again.length) sendNext()
    },
    close: () => {
      isClosed = true
      clearTimeout(retrying)
      socket?.close()
    },
  }
}
