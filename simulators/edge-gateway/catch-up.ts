import { edgeAck, edgeAckName, edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import { holes, type Interval, newestFirst } from './coverage.ts'
import { type Message, replay } from './messages.ts'
import type { State } from './state.ts'
import type { Edge, Group } from './world-file.ts'

export type CatchUpOptions = {
  edge: Edge
  state: State
  replayPerS: number
  /** Quiet minutes before this second are sent with fewer samples. */
  thinBeforeS?: number | undefined
  /** Younger samples may still be in flight and do not count as owed. */
  settledS: number
  send: (message: Message) => Promise<boolean>
  isConnected: () => boolean
  stopping: AbortSignal
}

export type CatchUp = {
  owedS: (nowMs: number) => number
  connected: () => void
  disconnected: () => void
}

const recentS = 3600
const longestOwedS = 60 * 86_400

export const groupName = (edge: Edge, group: Group) => `${edge.key}/${group.key}`

/** Sends the owed samples, the last hour first, then day by day, at a steady pace: history, outages and restarts alike. */
export const startCatchUp = (options: CatchUpOptions): CatchUp => {
  const { edge, state, replayPerS, thinBeforeS, settledS, send, isConnected, stopping } = options
  let wake = () => {}
  let breakOff = () => {}

  const settledUntilS = (nowMs: number) => Math.floor(nowMs / 1000) - settledS

  const owed = (group: Group, nowMs: number): Interval[] => {
    const untilS = settledUntilS(nowMs)
    return holes(state.covered(groupName(edge, group)), [Math.max(state.sinceS, untilS - longestOwedS), untilS])
  }

  const isRipe = (nowMs: number) => (hole: Interval) =>
    hole[1] < settledUntilS(nowMs) || hole[1] - hole[0] >= edgeLimits.samplesPerMessage

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** Sends one gap in bursts, at most one per second: the server commits a burst at once, a fifth of the cost of single messages. */
  const fill = async (group: Group, hole: Interval): Promise<void> => {
    const name = groupName(edge, group)
    let burst: Promise<void>[] = []
    let sent = 0
    let nextAt = performance.now() + 1000
    const settle = async () => {
      const broken = new Promise<void>((resolve) => {
        breakOff = resolve
      })
      if (isConnected()) await Promise.race([Promise.all(burst), broken])
      burst = []
      sent = 0
    }
    let happened: Promise<boolean>[] = []
    for (const message of replay(edge.key, group, state.manual(name), hole, thinBeforeS)) {
      if (stopping.aborted || !isConnected()) return
      happened.push(send(message))
      sent++
      if (!message.covers) continue
      const { covers } = message
      burst.push(
        Promise.all(happened).then((areKept) => {
          if (areKept.every(Boolean)) state.cover(name, covers)
        }),
      )
      happened = []
      if (sent < replayPerS) continue
      await settle()
      await sleep(nextAt - performance.now())
      nextAt = performance.now() + 1000
    }
    await settle()
    await sleep(nextAt - performance.now())
  }

  const run = async () => {
    while (!stopping.aborted) {
      const nowMs = Date.now()
      const jobs = edge.groups.flatMap((group) =>
        owed(group, nowMs)
          .filter(isRipe(nowMs))
          .map((hole) => ({ group, hole })),
      )
      const [next] = newestFirst(jobs, Math.floor(nowMs / 1000) - recentS)
      if (next && isConnected()) await fill(next.group, next.hole)
      else await sleep(isConnected() ? Math.min(20, settledS) * 1000 : 2000)
    }
  }
  void run()

  return {
    owedS: (nowMs) =>
      edge.groups.flatMap((group) => owed(group, nowMs)).reduce((sum, [from, to]) => sum + to - from, 0),
    connected: () => wake(),
    disconnected: () => breakOff(),
  }
}

/** With a broker in between, a PUBACK does not prove storage on the server: a group's messages are kept until `ack` names them. */
type Acks = {
  named: (message: Message) => Promise<boolean>
  heard: (payload: string) => void
  giveUp: () => void
}

export const openAcks = (patienceMs: number): Acks => {
  const waiting = new Map<string, Set<(isNamed: boolean) => void>>()
  const settle = (name: string, isNamed: boolean) => {
    for (const resolve of waiting.get(name) ?? []) resolve(isNamed)
    waiting.delete(name)
  }
  return {
    named: ({ topic, payload }) =>
      new Promise((resolve) => {
        const [, , , kind = '', group = ''] = topic.split('/')
        if (!isKind(kind)) return resolve(true) // of no group: only the broker's PUBACK confirms it
        const name = nameOf(group, edgeAckName[kind].parse({ ...JSON.parse(payload), kind }))
        const timer = setTimeout(() => settle(name, false), patienceMs)
        timer.unref()
        const waiters = waiting.get(name) ?? new Set()
        waiting.set(name, waiters)
        waiters.add((isNamed) => {
          clearTimeout(timer)
          resolve(isNamed)
        })
      }),
    heard: (payload) => {
      const { groupId, stored } = edgeAck.parse(JSON.parse(payload))
      for (const message of stored) settle(nameOf(groupId, message), true)
    },
    giveUp: () => {
      for (const name of waiting.keys()) settle(name, false)
    },
  }
}

const isKind = (text: string): text is keyof typeof edgeAckName => Object.hasOwn(edgeAckName, text)

const nameOf = (group: string, name: object) => JSON.stringify([group, name])
