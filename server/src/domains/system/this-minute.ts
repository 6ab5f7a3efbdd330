import { minuteMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'

const kept = new WeakMap<App['records'], { minute: number; answers: Map<string, Promise<unknown>> }>()

/** What takes many rows to count is counted once a minute, however many look. */
export const thisMinute = <T>(
  { records }: Pick<App, 'records'>,
  nowMs: number,
  name: string,
  count: () => Promise<T>,
): Promise<T> => {
  const minute = Math.floor(nowMs / minuteMs)
  const found = kept.get(records)
  const answers = found?.minute === minute ? found.answers : new Map<string, Promise<unknown>>()
  kept.set(records, { minute, answers })
  const known = answers.get(name)
  if (known) return known as Promise<T> // counted under this very name
  const answer = count()
  answers.set(name, answer)
  answer.catch(() => answers.delete(name)) // a failure is not kept
  return answer
}
