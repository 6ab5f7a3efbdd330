import { createHash } from 'node:crypto'
import { activationFrom, asked } from '../activation.ts'
import { frequencyHz } from '../world.ts'
import type { Group } from './world-file.ts'

export type Activation = {
  id: string
  market: string
  direction: 'increased' | 'decreased'
  startS: number
  endS: number | null
  maxSetPoint: number
  extFreq: number
}

export type Change = { activation: Activation } | { atS: number; setPoint: number }

/** An activation ends after this long without a request; shorter rests belong to it. */
const restS = 60
const longestLookBackS = 3600

type Called = { edge: string; group: Group; market: string }

const idOf = ({ edge, group, market }: Called, startS: number): string => {
  const hex = createHash('sha256').update(`${edge}/${group.key}/${market}/${startS}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

type Running = { startS: number; lastS: number; up: boolean; max: number; extFreq: number; level: number }

/**
 * Watches a group's markets second by second from `fromS` on and reports the start of an activation, each multiple of ten that the set point newly
 * reaches, and the end. An activation that is active at `fromS` is included, so that live watching and a later replay report the same ones.
 */
export const openWatch = (edge: string, group: Group, fromS: number): ((second: number) => Change[]) => {
  const watches = group.markets.map((market) => watchMarket({ edge, group, market }, fromS))
  return (second) => watches.flatMap((watch) => watch(second))
}

const watchMarket = (called: Called, fromS: number): ((second: number) => Change[]) => {
  const { group, market } = called
  let running: Running | null = null

  const step = (second: number): Change[] => {
    const u = asked(market, group.grid, second)
    const size = Math.abs(u)
    const changes: Change[] = []
    if (size >= activationFrom(market)) {
      const hz = frequencyHz(group.grid, second)
      const begins = running === null
      running ??= { startS: second, lastS: second, up: u > 0, max: 0, extFreq: hz, level: 0 }
      running.lastS = second
      running.max = Math.max(running.max, size)
      running.extFreq = running.up ? Math.min(running.extFreq, hz) : Math.max(running.extFreq, hz)
      if (begins) changes.push({ activation: told(running, null) })
      const level = Math.ceil(running.max * 10) * 10
      if (level > running.level) {
        running.level = level
        changes.push({ atS: second, setPoint: level })
      }
    } else if (running && second - running.lastS >= restS) {
      changes.push({ activation: told(running, running.lastS + 1) }, { atS: running.lastS + 1, setPoint: 0 })
      running = null
    }
    return changes
  }

  const told = (one: Running, endS: number | null): Activation => ({
    id: idOf(called, one.startS),
    market,
    direction: one.up ? 'increased' : 'decreased',
    startS: one.startS,
    endS,
    maxSetPoint: Number((one.max * 100).toFixed(1)),
    extFreq: one.extFreq,
  })

  for (let second = restBefore(called, fromS); second < fromS; second++) step(second)
  return step
}

const restBefore = ({ group, market }: Called, fromS: number): number => {
  let quiet = 0
  for (let second = fromS - 1; second > fromS - longestLookBackS; second--) {
    quiet = Math.abs(asked(market, group.grid, second)) < activationFrom(market) ? quiet + 1 : 0
    if (quiet > restS) return second
  }
  return fromS - longestLookBackS
}
