import { Button } from '@mantine/core'
import { type ReactNode, Suspense, useCallback, useId, useRef } from 'react'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import classes from './Chart.module.css'
import { Crosshair } from './Crosshair.tsx'
import { drawChart } from './draw.ts'
import { type LiveSource, followFeed } from './feed.ts'
import { type ChartModel, hasValues } from './model.ts'
import { usePalette } from './palette.ts'
import { type Draw, useCanvas } from './useCanvas.ts'
import { useZoom } from './useZoom.ts'

const Marks = part(async () => (await import('./Marks.tsx')).default)
/** Loaded after the first paint: a reader of the screen needs them later than the eye. */
const Words = part(async () => (await import('./Words.tsx')).default)

type Props = {
  label: string
  model: ChartModel
  live?: LiveSource
  height: number
  empty?: ReactNode
  renderMark?: ((key: string) => ReactNode) | undefined
}

/** Draws a model on a canvas; live points are drawn without a React render. */
export const Chart = ({ label, model, live, height, empty, renderMark }: Props) => {
  const id = useId()
  const palette = usePalette()
  const frame = useRef<HTMLDivElement>(null)
  // The drawn model; a live chart advances it without a render.
  const drawn = useRef(model)
  const { zoom, isZoomed, reset, selection } = useZoom({ id, frame, model: () => drawn.current })
  const draw: Draw = (pen, size) => {
    drawn.current = followFeed(model, live)
    drawChart(pen, drawn.current, palette, {
      span: zoom ?? drawn.current.span,
      size,
      words: { now: t('Now'), notFromZero: t('not from 0') },
    })
  }
  const canvas = useCanvas(frame, draw, live?.feed, [model, palette, zoom])
  const read = useCallback(() => {
    const { clientWidth: width = 1, clientHeight: height = 1 } = frame.current ?? {}
    return { model: drawn.current, span: zoom ?? drawn.current.span, size: { width, height } }
  }, [zoom])
  const filled = hasValues(model) || (live?.feed.state.get().x.length ?? 0) > 0

  return (
    <div
      ref={frame}
      className={classes.frame}
      style={{ minHeight: height }}
      role="group"
      aria-roledescription={t('chart')}
      aria-label={label}
      aria-describedby={`${id}-summary`}
      // Focusable for the arrow keys; the role stays group, because its children are pictures.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <canvas ref={canvas} className={classes.canvas} aria-hidden />
      {filled && <Crosshair id={id} read={read} palette={palette} />}
      {renderMark && model.marks && model.marks.length > 0 && (
        <Suspense>
          <Marks read={read} marks={model.marks} renderMark={renderMark} />
        </Suspense>
      )}
      {selection && <div className={classes.selection} style={selection} />}
      {isZoomed && (
        <Button className={classes.reset ?? ''} variant="default" size="xs" onClick={reset}>
          {t('Reset zoom')}
        </Button>
      )}
      {!filled && empty && <div className={classes.empty}>{empty}</div>}
      <Suspense>
        <Words id={id} model={model} drawn={drawn} />
      </Suspense>
    </div>
  )
}
