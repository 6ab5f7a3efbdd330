import { dayMs } from '@gridmast/contract/time.ts'
import { frequencyHz } from '../world.ts'

const longestMs = dayMs

/** The Nordic frequency per second in Statnett's form; the last two seconds are null. Null for an invalid span. */
export const frequencyJson = (params: URLSearchParams, atMs: number): string | null => {
  const fromMs = Date.parse(params.get('From') ?? '')
  const toMs = Math.min(Date.parse(params.get('To') ?? ''), atMs)
  if (Number.isNaN(fromMs) || Number.isNaN(toMs) || toMs - fromMs > longestMs) return null
  const start = Math.ceil(fromMs / 1000)
  const count = Math.max(0, Math.floor(toMs / 1000) - start)
  const values = Array.from({ length: count }, (_, i) => {
    const second = start + i
    return second * 1000 >= atMs - 2000 ? null : Number(frequencyHz('nordic', second).toFixed(3))
  })
  return JSON.stringify({
    StartPointUTC: start * 1000,
    EndPointUTC: (start + count) * 1000,
    PeriodTickMs: 1000,
    Measurements: values,
  })
}
