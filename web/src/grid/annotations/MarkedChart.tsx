import { Suspense } from 'react'
import { withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { MarkedChartProps } from './ChartWithMarks.tsx'

const ChartWithMarks = part(
  async () => (await withWords(import('#grid/annotations/ChartWithMarks.tsx'), 'annotations')).default,
)

/** A chart whose marks load after it. */
export const MarkedChart = ({ marked, span, ...panel }: MarkedChartProps) => (
  <Suspense fallback={<ChartPanel {...panel} />}>
    <ChartWithMarks marked={marked} span={span} {...panel} />
  </Suspense>
)
