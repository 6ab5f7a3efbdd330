import type { Span } from '@gridmast/contract/time.ts'
import { type ComponentProps, useMemo } from 'react'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { Marked } from './search.ts'
import { useAnnotations } from './useAnnotations.tsx'

export type MarkedChartProps = ComponentProps<typeof ChartPanel> & { marked: Marked; span: Span }

const ChartWithMarks = ({ marked, span, ...panel }: MarkedChartProps) => {
  const { marks, legend, renderMark, action, note, dialog } = useAnnotations(marked, span)
  const { model } = panel
  const withMarks = useMemo(() => model && { ...model, marks }, [model, marks])
  const keys = [...(panel.legend || []), ...legend]
  return (
    <>
      <ChartPanel
        {...panel}
        model={withMarks}
        legend={keys.length > 0 && keys}
        renderMark={renderMark}
        actions={action}
        footRight={note ?? panel.footRight}
      />
      {dialog}
    </>
  )
}

export default ChartWithMarks
