import { dayMs, type Span } from '@gridmast/contract/time.ts'
import type { Readings } from '#readings/readings.ts'
import type { Asked, Row } from './recompute.ts'

const gathered = <Question, Answer>(put: (questions: readonly Question[]) => Promise<Answer>) => {
  let open: { questions: Question[]; answer: Promise<Answer> } | undefined
  return (question: Question): Promise<Answer> => {
    const questions: Question[] = []
    const putAll = () => {
      open = undefined
      return put(questions)
    }
    open ??= { questions, answer: new Promise<void>((resolve) => setImmediate(resolve)).then(putAll) }
    open.questions.push(question)
    return open.answer
  }
}

type Stores = {
  readings: Pick<Readings, 'samples'>
  rows: (asked: readonly Asked[]) => Promise<Row[]>
}

export const askTogether = ({ readings, rows }: Stores) => {
  const askRows = gathered((questions: readonly (readonly Asked[])[]) => rows(questions.flat()))
  const askSamples = gathered(async (questions: readonly { no: number; span: Span }[]) => {
    const fromMs = Math.min(...questions.map(({ span }) => span.fromMs))
    const toMs = Math.min(fromMs + dayMs, Math.max(...questions.map(({ span }) => span.toMs)))
    return readings.samples({ signalNos: questions.map(({ no }) => no), fromMs, toMs })
  })
  const samples = async (no: number, span: Span): Promise<{ x: number[]; y: number[]; toMs: number }> => {
    const answer = await askSamples({ no, span })
    if (answer.toMs <= span.fromMs && span.fromMs < span.toMs) return samples(no, span)
    const { x, y } = answer.series.get(no) ?? { x: [], y: [] }
    const isInside = (tMs: number) => tMs >= span.fromMs && tMs < span.toMs
    return {
      x: x.filter(isInside),
      y: y.filter((_, i) => isInside(x[i] ?? -1)),
      toMs: Math.min(span.toMs, answer.toMs),
    }
  }
  return { rows: (asked: readonly Asked[]) => askRows(asked), samples }
}
