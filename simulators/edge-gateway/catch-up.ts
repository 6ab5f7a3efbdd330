import { edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import { holes, newestFirst, type Interval } from './coverage.ts'
import { replay, type Message } from './messages.ts'
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
