import { Button } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type ReactNode, useEffect, useCallback, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Chart.module.css'
import { ChartSkeleton } from './ChartSkeleton.tsx'
import { Crosshair, crosshair } from './Crosshair.tsx'
import type { ECharts } from './echarts.ts'
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
  const { ref: sizeRef, width, height: ownHeight } = useElementSize<HTMLDivElement>()
  const frame = useRef<HTMLDivElement>(null)
  const frameRef = useMergedRef(frame, sizeRef)
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  const [ready, setReady] = useState(false)
  // What is on the canvas now; a live chart moves it without a render.
  const shown = useRef(model)
  const { zoom, setZoom, selection } = useZoom({ id, frame, model: () => shown.current })
  const read = useCallback(
    () => ({ model: shown.current, span: zoom ?? shown.current.span, size: { width, height: ownHeight } }),
    [zoom, width, ownHeight],
  )
  const filled = hasValues(model) || (live?.feed.state.get().x.length ?? 0) > 0

  const draw = useEffectEvent(() => {
    const current = followFeed(model, live)
    shown.current = current
    if (!chart.current || width === 0) return
    const span = zoom ?? current.span
    chart.current.setOption(chartOption(current, palette, { span, width: width - 60, nowWord: t('Now') }), {
      notMerge: false,
      replaceMerge: ['series'],
    })
  })

  useEffect(() => {
    let alive = true
    void import('./echarts.ts').then(({ init }) => {
      if (!alive || !host.current) return
      chart.current = init(host.current, null, { renderer: 'canvas' })
      setReady(true)
    })
    return () => {
      alive = false
      chart.current?.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    if (ready && width > 0) chart.current?.resize({ width, height: ownHeight })
    draw()
    // What draw() reads: each of these changes the picture.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [ready, width, ownHeight, model, palette, zoom, t])

  // A canvas drawn before the font came keeps the fallback: draw once more.
  useEffect(() => {
    if (ready) void document.fonts.ready.then(() => draw())
  }, [ready])

  const feed = live?.feed
  useEffect(() => {
    if (!feed) return
    let frameId = 0
    const stop = feed.state.subscribe(() => {
      cancelAnimationFrame(frameId)
      frameId = requestAnimationFrame(() => draw())
    })
    return () => (stop(), cancelAnimationFrame(frameId))
  }, [feed])

  return (
    <div
      ref={frameRef}
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
