import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type Span, formatDateTime } from '@gridmast/contract/time.ts'
import { createStore, useStore } from '#lib/store.ts'
import { carbonColour } from '#ui/theme/tokens.ts'
import classes from './Chart.module.css'
import { type ChartModel, isDrawn, isSlots, seriesName } from './model.ts'
import type { Palette } from './palette.ts'
import { type Plot, plotOf } from './plot.ts'
import { type ValueAt, slotWords, valuesAt } from './shape.ts'

/** Shared by all charts of the page; only its owner shows the values. */
export const crosshair = createStore<{ ms: number; owner: string } | null>(null)

const headOf = ({ series, ms, endMs }: ValueAt) => (isSlots(series) ? slotWords(ms, endMs) : formatDateTime(ms))

const pixel = ({ series, ms, endMs }: ValueAt, plot: Plot) => plot.x(isSlots(series) ? (ms + endMs) / 2 : ms)

const colourAt = ({ series, value }: Pick<ValueAt, 'series' | 'value'>, palette: Palette) => {
  if (series.scale === 'carbon') return carbonColour(value ?? 0)
  return palette.data(series.kind === 'column' && (value ?? 0) < 0 ? 3 : series.colour)
}

const tipWidth = 190

type Props = {
  id: string
  read: () => { model: ChartModel; span: Span; size: { width: number; height: number } }
  palette: Palette
}

export const Crosshair = ({ id, read, palette }: Props) => {
  const at = useStore(crosshair)
  if (!at) return null
  const { model, span, size } = read()
  if (at.ms < span.fromMs || at.ms > span.toMs) return null
  const plot = plotOf(model, span, size)
  const values = valuesAt(model.series, at.ms)
  const first = values[0]
  if (!first) return null
  const x = Math.min(plot.left + plot.width, Math.max(plot.left, pixel(first, plot)))
  const flip = x + 10 + tipWidth > plot.left + plot.width + 44
  return (
    <div className={classes.crosshair} aria-hidden>
      <div className={classes.crossLine} style={{ left: x, top: plot.top, height: plot.height }} />
      {values.map((one) =>
        one.value === null || one.series.kind === 'column' || one.series.under || !isDrawn(one.series) ? null : (
          <div
            key={one.series.name}
            className={classes.crossDot}
            style={{
              left: pixel(one, plot),
              top: Math.min(plot.top + plot.height, Math.max(plot.top, plot.y(one.value, one.series.side))),
              background: colourAt(one, palette),
            }}
          />
        ),
      )}
      {at.owner === id && (
        <div className={classes.tip} style={flip ? { right: `calc(100% - ${x - 10}px)` } : { left: x + 10 }}>
          <div className={classes.tipHead}>{headOf(first)}</div>
          {values.map(({ series, value }) => (
            <div key={series.name} className={classes.tipRow}>
              {isDrawn(series) && (
                <span className={classes.swatch} style={{ background: colourAt({ series, value }, palette) }} />
              )}
              <span>{seriesName(series)}</span>
              <b>
                {formatNumber(value, { decimals: series.decimals ?? model.decimals })} {series.unit}
              </b>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
