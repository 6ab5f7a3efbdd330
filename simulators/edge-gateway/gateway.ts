import { edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { connect, type MqttClient } from 'mqtt'
import { openAcks } from './catch-up.ts'
import { openWatch, type Change } from './activations.ts'
import { groupName, startCatchUp } from './catch-up.ts'
import { decide, type Decision, type Reply } from './commands.ts'
import { openConfig } from './config.ts'
import type { Interval } from './coverage.ts'
import { type Fault, faultOf } from './commands.ts'
import { isActivated, manualAt } from './device.ts'
import { commandLog, happenings, status, telemetry, type Message } from './messages.ts'
import type { State } from './state.ts'
import type { Edge, Group } from './world-file.ts'

export type GatewayOptions = {
  edge: Edge
  url: string
  state: State
  /** Messages per second during catch-up. */
  replayPerS: number
  thinBeforeS?: number | undefined
  settledS?: number
  /** For a broker that is not the server's own: time to wait for the server's `ack`, without which a message is sent again. */
  ackPatienceMs?: number | undefined
  faultsFile?: string | undefined
  log: (text: string) => void
}

export type Gateway = {
  tick: (nowMs: number) => void
  owedS: (nowMs: number) => number
  isConnected: () => boolean
  stop: () => Promise<void>
}

/** Unacknowledged live messages at which the edge stops live sending and leaves the rest to catch-up. */
const livePatience = 20
const statusEveryS = 60
const busyStatusEveryS = 15
const busyFromS = 3600
const releaseAfterS = 60
const rememberedReplies = 200

export const openGateway = (options: GatewayOptions): Gateway => {
  const { edge, url, state, replayPerS, thinBeforeS, settledS = 30, ackPatienceMs, faultsFile, log } = options
  const acks = ackPatienceMs === undefined ? null : openAcks(ackPatienceMs)
  const startedMs = Date.now()
  const obeyConfig = openConfig(edge, log)
  const replies = new Map<string, Reply>()
  const watches = new Map<string, (second: number) => Change[]>()
  const holdUntilS = new Map<string, number>()
  let waiting = 0
  let sentS = Math.floor(startedMs / 1000) - 1
  let statusS = 0
  let lostAtS: number | null = null
  let lastError = ''
  const stopping = new AbortController()

  const id = (group: Group) => groupName(edge, group)
  const client: MqttClient = connect(url, {
    clientId: edge.key,
    username: edge.key,
    password: edge.password,
    clean: false,
    keepalive: 30,
    reconnectPeriod: 2000,
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
    resubscribe: false,
    will: { topic: edgeTopic.status(edge.key), payload: Buffer.from('{"v":1,"online":false}'), qos: 1, retain: true },
  })

  /** Resolves when the message is safe: acknowledged by the broker, and named by the server where the broker is not its own. */
  const send = (message: Message, retain = false): Promise<boolean> => {
    const named = acks?.named(message)
    return new Promise((resolve) => {
      client.publish(message.topic, message.payload, { qos: 1, retain }, (error) =>
        error ? resolve(false) : resolve(named ?? true),
      )
    })
  }

  const sendUntilKept = async (message: Message) => {
    while (!stopping.signal.aborted && !(await send(message))) await pause(1000)
  }

  const catchUp = startCatchUp({
    edge,
    state,
    replayPerS,
    thinBeforeS,
    settledS,
    send,
    isConnected: () => client.connected,
    stopping: stopping.signal,
  })

  const sendStatus = (nowMs: number) => {
    statusS = Math.floor(nowMs / 1000)
    const kept = { backlogS: catchUp.owedS(nowMs), keptS: edge.groups.length * (statusS - state.sinceS) }
    return send(status(edge, nowMs, Math.round((nowMs - startedMs) / 1000), kept), true)
  }

  client.on('connect', () => {
    lostAtS = null
    lastError = ''
    watches.clear()
    log(`${edge.key}: connected`)
    client.subscribe([edgeTopic.commandRequest(edge.key), edgeTopic.config(edge.key), edgeTopic.ack(edge.key)], {
      qos: 1,
    })
    void sendStatus(Date.now())
    catchUp.connected()
  })
  client.on('close', () => {
    if (lostAtS === null && !stopping.signal.aborted) log(`${edge.key}: connection lost`)
    lostAtS ??= Date.now() / 1000
    acks?.giveUp()
    catchUp.disconnected()
  })
  client.on('error', (error) => {
    if (error.message !== lastError) log(`${edge.key}: ${error.message}`)
    lastError = error.message
  })
  client.on('message', (topic, payload) => {
    if (topic === edgeTopic.commandRequest(edge.key)) void obey(payload.toString('utf8'))
    if (topic === edgeTopic.config(edge.key)) obeyConfig(payload.toString('utf8'))
    if (topic === edgeTopic.ack(edge.key)) acks?.heard(payload.toString('utf8'))
  })

  const setByHand = (group: Group, atS: number, setPoint: number) => {
    if (manualAt(state.manual(id(group)), atS) === setPoint) return
    state.setManual(id(group), { atS, setPoint })
    void sendUntilKept(commandLog(edge.key, group, atS, setPoint))
  }

  const decideOn = (payload: string, nowMs: number) => {
    const second = Math.ceil(nowMs / 1000)
    return decide(payload, nowMs, {
      groups: edge.groups.map(({ key }) => key),
      isActivated: (key) => edge.groups.some((group) => group.key === key && isActivated(group, second)),
    })
  }

  /** A repeated command gets the same answer and moves nothing. */
  const answerOnce = (decision: Decision, second: number): Reply => {
    const { reply, apply } = decision
    const given = replies.get(reply.id)
    if (given) return given
    for (const group of apply ? edge.groups.filter(({ key }) => apply.groups.includes(key)) : []) {
      setByHand(group, second, apply?.setPoint ?? 0)
      holdUntilS.set(group.key, second + (apply?.holdS ?? 0))
    }
    replies.set(reply.id, reply)
    for (const oldest of replies.keys()) if (replies.size > rememberedReplies) replies.delete(oldest)
    return reply
  }

  const obey = async (payload: string) => {
    const nowMs = Date.now()
    const decision = decideOn(payload, nowMs)
    if (!decision) return log(`${edge.key}: a command without an id`)
    const fault = faultOf(faultsFile, edge.key, log)
    if (fault === 'silent') return log(`${edge.key}: silent on request`)
    if (typeof fault === 'object' && 'delayS' in fault) await pause(fault.delayS * 1000)
    const reply = answerOnce(faulty(decision, fault), Math.ceil(Date.now() / 1000))
    await send({ topic: edgeTopic.commandResponse(edge.key), payload: JSON.stringify(reply) })
  }

  const release = (nowS: number) => {
    const isLost = lostAtS !== null && nowS - lostAtS > releaseAfterS
    for (const group of edge.groups)
      if (isLost || nowS >= (holdUntilS.get(group.key) ?? Infinity)) {
        setByHand(group, nowS, 0)
        holdUntilS.delete(group.key)
      }
  }

  const sendLive = (group: Group, span: Interval) => {
    const watch = watches.get(group.key) ?? openWatch(edge.key, group, span[0])
    watches.set(group.key, watch)
    const messages = [
      ...happenings(edge.key, group, watch, span),
      telemetry(edge.key, group, state.manual(id(group)), span),
    ]
    waiting++
    void Promise.all(messages.map((message) => send(message))).then((areKept) => {
      waiting--
      if (areKept.every(Boolean)) state.cover(id(group), span)
    })
  }

  const tick = (nowMs: number) => {
    const nowS = Math.floor(nowMs / 1000)
    release(nowS)
    const from = sentS + 1
    if (nowS < from) return
    sentS = nowS
    const everyS =
      nowS - statusS >= busyStatusEveryS && catchUp.owedS(nowMs) > busyFromS ? busyStatusEveryS : statusEveryS
    if (nowS - statusS >= everyS && client.connected) void sendStatus(nowMs)
    // Catch-up delivers the samples of a lost connection, a stalled broker or a long sleep.
    if (!client.connected || waiting > livePatience * edge.groups.length || nowS - from >= 60) return watches.clear()
    for (const group of edge.groups) sendLive(group, [from, nowS + 1])
  }

  return {
    tick,
    owedS: catchUp.owedS,
    isConnected: () => client.connected,
    stop: async () => {
      stopping.abort()
      catchUp.connected()
      if (client.connected)
        await Promise.race([
          send({ topic: edgeTopic.status(edge.key), payload: '{"v":1,"online":false}' }, true),
          pause(1000),
        ])
      await Promise.race([client.endAsync(), pause(1000)])
    },
  }
}

const faulty = (decision: Decision, fault: Fault): Decision =>
  typeof fault === 'object' && 'refuse' in fault
    ? { reply: { ...decision.reply, status: fault.refuse, setPoint: null }, apply: null }
    : decision

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
