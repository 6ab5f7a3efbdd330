import { randomUUID } from 'node:crypto'
import { rateLimiter } from '#platform/http/limits.ts'
import type { WebSocket } from 'ws'
import type { Fact, Outcome } from './facts.ts'
import {
  callFrame,
  errorFrame,
  type Frame,
  NotUnderstood,
  type Payload,
  readFrame,
  resultFrame,
  type Version,
} from './frames.ts'
import { checkSent, readCall, readResult } from './messages.ts'
import type { OrderAnswer, Order } from './orders.ts'
import { v16 } from './v16.ts'
import { v201 } from './v201.ts'

const translators = { 'ocpp1.6': v16, 'ocpp2.0.1': v201 }

/** The answer of a charger to an order: its status, or the reason for none. */
export type CallAnswer =
  | ({ kind: 'answered' } & OrderAnswer)
  | { kind: 'refused'; code: string; description: string }
  | { kind: 'timeout' }
  | { kind: 'socket-lost' }

type CallOptions = {
  late?: (answer: CallAnswer) => void
  /** No user waits for it: it is sent after those with a waiting user. */
  isQuiet?: boolean
  untilMs?: number
}

export type Connection = {
  version: Version
  /** One call at a time; calls with a waiting user are first. */
  call: (order: Order, options?: CallOptions) => Promise<CallAnswer>
  /** Runs every half minute: a ping, or the end of a socket that was silent since the last two. */
  beat: () => void
  close: (code: number, reason: string) => void
}

export type ConnectionHandler = {
  /** Answers the payload as text, after everything it promises is committed. */
  handle: (fact: Fact, meta: { messageId: string; write: (outcome: Outcome) => string }) => Promise<string>
  frame: (direction: 'in' | 'out', text: string) => void
  deviations: (deviations: readonly string[]) => void
  closed: () => void
  failed: (error: unknown) => void
}

/** Queued messages of one charger at which its socket is paused, and resumed. */
const [pauseAt, resumeAt] = [32, 8]
/** Rate and burst of messages of one charger; the burst is for its backlog, and a flood is read slowly, at no cost to others. */
const [messagesPerSecond, messagesAtOnce] = [100, 2000]
const maxBrokenFrames = 100
const maxUnreadBytes = 1024 * 1024
const answerMs = 30_000
const maxMissedPings = 2
const maxLateAnswers = 8

/** Facts that must not be lost: an error would make the charger repeat or drop them, so the socket is closed and it sends them again. */
const mustNotBeLost = ({ kind }: Fact) =>
  kind === 'started' || kind === 'stopped' || kind === 'event' || kind === 'values'

type Waiting = CallOptions & { order: Order; settle: (answer: CallAnswer) => void }

export const openConnection = (
  socket: WebSocket,
  version: Version,
  handler: ConnectionHandler,
  answerWithinMs: number = answerMs,
): Connection => {
  const translate = translators[version]
  const queue: Extract<Frame, { kind: 'call' }>[] = []
  const waiting: Waiting[] = []
  const lateOf = new Map<string, (answer: CallAnswer) => void>()
  const rate = rateLimiter(messagesPerSecond, messagesAtOnce, Date.now)
  let broken = 0
  let isBusy = false
  let isClosed = false
  let missedPings = 0
  let current: { id: string; settle: (answer: CallAnswer) => void } | null = null

  /** A fault closes only its own connection. */
  const fail = (error: unknown) => {
    socket.terminate()
    handler.failed(error)
  }
  const guarded =
    <Args extends unknown[]>(work: (...args: Args) => void) =>
    (...args: Args) => {
      try {
        work(...args)
      } catch (error) {
        fail(error)
      }
    }

  const send = (text: string) => {
    if (isClosed) return
    handler.frame('out', text)
    if (socket.bufferedAmount > maxUnreadBytes) return socket.terminate()
    socket.send(text)
  }

  const answerCall = async ({ id, action, payload }: Extract<Frame, { kind: 'call' }>) => {
    let fact: Fact | null = null
    try {
      const incoming = readCall(version, action, payload)
      if (incoming.deviations.length > 0) handler.deviations(incoming.deviations)
      fact = translate.read(action, incoming.payload)
      const write = (outcome: Outcome) => {
        const answer = translate.answer(action, outcome)
        checkSent(version, `${action}.conf`, answer)
        return JSON.stringify(answer)
      }
      send(resultFrame(id, await handler.handle(fact, { messageId: id, write })))
    } catch (error) {
      if (error instanceof NotUnderstood) {
        handler.deviations([`${action.slice(0, 40)} ${error.message}`])
        send(errorFrame(version, id, error.trouble, error.message))
      } else if (fact && mustNotBeLost(fact)) socket.terminate()
      else send(errorFrame(version, id, 'internal'))
    }
  }

  const work = async () => {
    isBusy = true
    for (let next = queue.shift(); next && !isClosed; next = queue.shift()) {
      if (queue.length === resumeAt && socket.isPaused) socket.resume()
      while (!rate.take()) await new Promise((resolve) => setTimeout(resolve, 1000 / messagesPerSecond))
      await answerCall(next)
    }
    isBusy = false
    if (socket.isPaused && !isClosed) socket.resume()
  }

  const receiveAnswer = (frame: Extract<Frame, { kind: 'result' | 'error' }>) => {
    const settle = current?.id === frame.id ? current.settle : lateOf.get(frame.id)
    if (!settle) return
    lateOf.delete(frame.id)
    settle(
      frame.kind === 'result'
        ? { kind: 'answered', ...translate.readAnswer(readResult(frame.payload)) }
        : { kind: 'refused', code: frame.code, description: frame.description },
    )
  }

  const sendNext = () => {
    const next = isClosed || current ? undefined : (waiting.find(({ isQuiet }) => !isQuiet) ?? waiting[0])
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    if (next.untilMs !== undefined && next.untilMs <= Date.now()) {
      next.settle({ kind: 'timeout' })
      return sendNext()
    }
    const id = randomUUID()
    let action: string, payload: Payload
    try {
      ;[action, payload] = translate.toCall(next.order)
      checkSent(version, `${action}.req`, payload)
    } catch (error) {
      next.settle({ kind: 'refused', code: 'NotSent', description: String(error) })
      return sendNext()
    }
    const settle = (answer: CallAnswer) => {
      clearTimeout(timer)
      current = null
      next.settle(answer)
      sendNext()
    }
    const onTimeout = guarded(() => {
      const [oldest] = lateOf.size >= maxLateAnswers ? lateOf.keys() : []
      if (oldest !== undefined) lateOf.delete(oldest)
      if (next.late) lateOf.set(id, next.late)
      settle({ kind: 'timeout' })
    })
    const timer = setTimeout(onTimeout, answerWithinMs)
    current = { id, settle }
    send(callFrame(id, action, payload))
  }

  const onMessage = (data: Buffer, isBinary: boolean) => {
    missedPings = 0
    const text = isBinary ? '' : data.toString()
    handler.frame('in', text)
    const frame = readFrame(text)
    if (frame.kind === 'broken') {
      if (++broken > maxBrokenFrames) return socket.close(1002, 'Not OCPP')
      handler.deviations(['not a frame'])
      if (version === 'ocpp2.0.1') send(errorFrame(version, '-1', 'broken'))
      return
    }
    if (frame.kind === 'unknown') return
    if (frame.kind !== 'call') return receiveAnswer(frame)
    queue.push(frame)
    if (queue.length > pauseAt) socket.pause()
    if (!isBusy) void work().catch(fail)
  }
  socket.on('message', guarded(onMessage))
  socket.on('pong', () => (missedPings = 0))
  socket.on('ping', () => (missedPings = 0))
  const onClose = () => {
    isClosed = true
    queue.length = 0
    current?.settle({ kind: 'socket-lost' })
    for (const one of waiting.splice(0)) one.settle({ kind: 'socket-lost' })
    handler.closed()
  }
  socket.on('close', guarded(onClose))

  return {
    version,
    call: (order, options = {}) =>
      new Promise((settle) => {
        if (isClosed) return settle({ kind: 'socket-lost' })
        waiting.push({ order, ...options, settle })
        sendNext()
      }),
    beat: () => {
      if (missedPings >= maxMissedPings) return socket.terminate()
      missedPings++
      socket.ping()
    },
    close: (code, reason) => {
      current?.settle({ kind: 'socket-lost' })
      for (const one of waiting.splice(0)) one.settle({ kind: 'socket-lost' })
      socket.close(code, reason)
      // Time limit of the closing handshake.
      setTimeout(() => socket.terminate(), 2000).unref()
    },
  }
}
