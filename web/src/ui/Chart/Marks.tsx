import { Popover } from '@mantine/core'
import type { Span } from '@gridmast/contract/time.ts'
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import type { ChartMark, ChartModel } from './model.ts'
import { usePalette } from './palette.ts'
import { placeMarks } from './place-marks.ts'
import { plotOf } from './plot.ts'
import { textOn } from '#ui/theme/customer-colours.ts'
import classes from './Marks.module.css'

const room = { wide: 22, phone: 44 }

type Props = {
  read: () => { model: ChartModel; span: Span; size: { width: number; height: number } }
  marks: readonly ChartMark[]
  renderMark: (key: string) => ReactNode
}

/** Buttons above the plot, each of which opens what its mark stands for. */
const Marks = ({ read, marks, renderMark }: Props) => {
  const phone = usePhone()
  const palette = usePalette()
  const holder = useRef<HTMLDivElement>(null)
  const [, setWidth] = useState(0)
  // A sliding window moves its marks.
  useNow(10_000)
  useLayoutEffect(() => {
    if (!holder.current) return
    const sizes = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    sizes.observe(holder.current)
    return () => sizes.disconnect()
  }, [])
  const { model, span, size } = read()
  const plot = plotOf(model, span, size)
  const placed = placeMarks(marks, span, plot.x, phone ? room.phone : room.wide)
  return (
    <div ref={holder} className={classes.marks} role="group" aria-label={t('Marks')}>
      {placed.map(({ x, marks: together }) => {
        const [first] = together
        if (!first) return null
        const colour = first.colour === 'ink2' ? palette.ink2 : palette.data(first.colour)
        const words = together.length === 1 ? first.words : t('{{count}} marks', { count: together.length })
        return (
          <MarkButton
            key={first.key}
            words={words}
            count={together.length}
            style={{ left: x, top: plot.top - 6, background: colour, color: textOn(colour) ?? palette.card }}
          >
            {together.map(({ key }) => (
              <div key={key}>{renderMark(key)}</div>
            ))}
          </MarkButton>
        )
      })}
    </div>
  )
}

type ButtonProps = { words: string; count: number; style: CSSProperties; children: ReactNode }

/** Opens above the plot; where it has no room there, the values at the cursor move to the bottom (`Chart.module.css`). */
const MarkButton = ({ words, count, style, children }: ButtonProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <Popover position="top" width={300} trapFocus returnFocus withRoles={false} opened={opened} onChange={setOpened}>
      <Popover.Target>
        <button
          type="button"
          className={classes.mark}
          style={style}
          aria-haspopup="dialog"
          aria-expanded={opened}
          aria-label={words}
          onClick={() => setOpened(!opened)}
        >
          {count > 1 ? count : ''}
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={words} className={classes.content ?? ''}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

export default Marks
