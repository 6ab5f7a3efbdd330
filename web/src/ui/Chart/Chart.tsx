import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import classes from './Chart.module.css'
import { ChartSkeleton } from './ChartSkeleton.tsx'
import { Crosshair, crosshair } from './Crosshair.tsx'
import { type Draw, useEngine } from './engine.ts'
import { type LiveSource, followFeed } from './live-model.ts'
import { type ChartModel, hasValues } from './model.ts'
import { chartOption } from './option.ts'
import { usePalette } from './palette.ts'
import { chartSummary } from './summary.ts'
import { useZoom } from './useZoom.ts'

type Props = {
  /** What the chart is called, for people who hear it. */
  label: string
  model: ChartModel
  live?: LiveSource
  height: number
  empty?: ReactNode
}

/** Draws a model. ECharts comes in its own chunk; live points are drawn without a render of React. */
export const Chart = ({ label, model, live, height, empty }: Props) => {
  const { t } = useTranslation()
  const id = useId()
  const palette = usePalette()
  const frame = useRef<HTMLDivElement>(null)
  // What is on the canvas now; a live chart moves it without a render.
  const shown = useRef(model)
  const parts = useRef('')
  const { zoom, setZoom, selection } = useZoom({ id, frame, model: () => shown.current })
  const draw: Draw = (engine, width) => {
    const current = followFeed(model, live)
    shown.current = current
    if (!engine) return
    const option = chartOption(current, palette, {
      span: zoom ?? current.span,
      width: width - 60,
      words: { now: t('Now'), notFromZero: t('not from 0') },
    })
    // Series that were there before are merged; only other ones are made anew.
    const ids = option.series.map((series) => series.id).join()
    engine.setOption(option, ids === parts.current ? {} : { replaceMerge: ['series'] })
    parts.current = ids
  }
  const { host, ready } = useEngine(frame, draw, live?.feed, [model, palette, zoom, t])
  const read = useCallback(() => {
    const { clientWidth: width = 1, clientHeight: height = 1 } = frame.current ?? {}
    return { model: shown.current, span: zoom ?? shown.current.span, size: { width, height } }
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
      // A chart is read with the arrow keys, so it must be reachable: the role stays a group because its parts are pictures.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div ref={host} className={classes.canvas} aria-hidden />
      {!ready && filled && <ChartSkeleton height={height} />}
      {ready && filled && <Crosshair id={id} read={read} palette={palette} />}
      {selection && <div className={classes.selection} style={selection} />}
      {zoom && (
        <Button className={classes.reset ?? ''} variant="default" size="xs" onClick={() => setZoom(null)}>
          {t('Reset zoom')}
        </Button>
      )}
      {!filled && empty && <div className={classes.empty}>{empty}</div>}
      <p id={`${id}-summary`} className="gm-hidden">
        {chartSummary(model, t)}
      </p>
      <Announcer id={id} model={() => shown.current} />
    </div>
  )
}

/** Says the values under the crosshair when it was moved by keyboard. */
const Announcer = ({ id, model }: { id: string; model: () => ChartModel }) => {
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const say = useEffectEvent((ms: number) => setWords(chartSummary(model(), t, ms)))
  useEffect(
    () =>
      crosshair.subscribe(() => {
        const at = crosshair.get()
        if (at?.owner === id && document.activeElement?.getAttribute('aria-describedby') === `${id}-summary`) say(at.ms)
      }),
    [id],
  )
  return (
    <p className="gm-hidden" aria-live="polite">
      {words}
    </p>
  )
}
