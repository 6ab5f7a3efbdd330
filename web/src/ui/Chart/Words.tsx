import { type RefObject, useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { crosshair } from './Crosshair.tsx'
import type { ChartModel } from './model.ts'
import { chartSummary } from './summary.ts'

type Props = { id: string; model: ChartModel; drawn: RefObject<ChartModel> }

/** The summary of a chart for a screen reader, and the value at its crosshair. */
const Words = ({ id, model, drawn }: Props) => (
  <>
    <Summary id={`${id}-summary`} model={model} />
    <Announcer id={id} drawn={drawn} />
  </>
)

/** Rendered after the paint: the first Danish number format costs more than a chart. */
const Summary = ({ id, model }: { id: string; model: ChartModel }) => {
  const painted = useDeferredValue<ChartModel | null>(model, null)
  return (
    <p id={id} className="gm-hidden">
      {painted === model && chartSummary(model)}
    </p>
  )
}

const Announcer = ({ id, drawn }: Omit<Props, 'model'>) => {
  const [words, setWords] = useState('')
  const announce = useEffectEvent((ms: number) => setWords(chartSummary(drawn.current, ms)))
  useEffect(
    () =>
      crosshair.subscribe(() => {
        const at = crosshair.get()
        if (at?.owner === id && document.activeElement?.getAttribute('aria-describedby') === `${id}-summary`)
          announce(at.ms)
      }),
    [id],
  )
  return (
    <p className="gm-hidden" aria-live="polite">
      {words}
    </p>
  )
}

export default Words
