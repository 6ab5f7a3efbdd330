import { IconAlertTriangle } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { isShortcut } from '#lib/shortcuts.ts'
import { showToast } from '#lib/toast.ts'
import classes from './bid-requests.module.css'
import { unitWords } from './bid-words.ts'
import {
  cellsOf,
  filledTo,
  type Kind,
  kindsOf,
  ordinarySlots,
  pasted,
  type SlotTexts,
  tidied,
  typedIn,
} from './slot-values.ts'

type Props = {
  market: string
  texts: SlotTexts
  onChange: (texts: SlotTexts) => void
  /** Error of a path such as `capacity.3`. */
  errorOf: (path: string) => ReactNode
  /** Slots with a warning. */
  warnedSlots: ReadonlySet<number>
  /** The one under the chosen slot is a stop of Tab. */
  renderUnder: (slot: number, isStop: boolean) => ReactNode
}

type Drag = { kind: Kind; from: number; to: number }

const isKind = (text: string | undefined, kinds: readonly Kind[]): text is Kind => kinds.some((kind) => kind === text)

const placeOf = (element: EventTarget | null, kinds: readonly Kind[]) => {
  const { slot, kind } = element instanceof HTMLElement ? element.dataset : {}
  return slot !== undefined && isKind(kind, kinds) ? { slot: Number(slot), kind } : null
}

/** The cell that a key moves to, by its place among all cells; null when the key moves the cursor in the text. */
const target = (
  event: KeyboardEvent,
  input: HTMLInputElement,
  at: number,
  inRow: number,
  kinds: number,
  all: number,
) => {
  const { key, ctrlKey, metaKey, shiftKey } = event
  if (isShortcut(event, 'firstCell')) return 0
  if (isShortcut(event, 'lastCell')) return all - 1
  if (ctrlKey || metaKey || shiftKey) return null
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0]
  const whole = start === 0 && end === input.value.length
  const column = at % inRow
  if (key === 'ArrowUp') return at - inRow
  if (key === 'ArrowDown') return at + inRow
  if (key === 'Enter') return at + kinds
  if (isShortcut(event, 'topCell')) return column
  if (isShortcut(event, 'bottomCell')) return all - inRow + column
  const isAtStart = whole || end === 0
  const isAtEnd = whole || start === input.value.length
  if (key === 'ArrowLeft' && isAtStart) return at - 1
  if (key === 'ArrowRight' && isAtEnd) return at + 1
  if (isShortcut(event, 'rowStart') && isAtStart) return at - column
  if (isShortcut(event, 'rowEnd') && isAtEnd) return at - column + inRow - 1
  return null
}

export const SlotGrid = ({ market, texts, onChange, errorOf, warnedSlots, renderUnder }: Props) => {
  const [drag, setDrag] = useState<Drag | null>(null)
  const slots = ordinarySlots(market)
  const kinds = kindsOf(market)
  const perRow = { 6: 3, 24: 4 }[slots.length] ?? 1
  const rows = slots.filter(({ index }) => index % perRow === 0)
  const [last, setLast] = useState<{ slot: number; kind: Kind }>()
  const isShown = last && last.slot < slots.length && kinds.includes(last.kind)
  /** The only cell that Tab reaches. */
  const stop = isShown ? last : { slot: 0, kind: kinds[0] }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const place = placeOf(event.target, kinds)
    if (!place || !(event.target instanceof HTMLInputElement) || event.altKey) return
    if (isShortcut(event, 'fillDown')) {
      event.preventDefault()
      return onChange(filledTo(texts, place.kind, place.slot, slots.length - 1))
    }
    if (isShortcut(event, 'editCell')) {
      event.preventDefault()
      return event.target.setSelectionRange(event.target.value.length, event.target.value.length)
    }
    const inputs = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[data-slot]')]
    const { length } = kinds
    const to = target(event, event.target, inputs.indexOf(event.target), perRow * length, length, inputs.length)
    if (to === null) return
    const next = inputs[to]
    // Enter in the last cell submits the form.
    if (!next && event.key === 'Enter') return
    event.preventDefault()
    next?.focus()
  }

  const onPaste = (event: ClipboardEvent<HTMLDivElement>) => {
    const place = placeOf(event.target, kinds)
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (!place || !cells) return
    event.preventDefault()
    const { texts: filled, skipped } = pasted(texts, kinds, place, cells)
    onChange(filled)
    if (skipped > 0)
      showToast({
        kind: 'error',
        message: t('The last {{count}} rows have no slot and were skipped', { count: skipped }),
      })
  }

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!drag) return
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-cell]')
    if (over) setDrag({ ...drag, to: Number(over.dataset['cell']) })
  }
  const onPointerUp = () => {
    if (drag && drag.to !== drag.from) onChange(filledTo(texts, drag.kind, drag.from, drag.to))
    setDrag(null)
  }
  const isDragged = (slot: number) =>
    drag !== null && slot >= Math.min(drag.from, drag.to) && slot <= Math.max(drag.from, drag.to)

  const cell = (slot: number, label: string, kind: Kind) => {
    const path = `${kind}.${slot}`
    const error = errorOf(path)
    return (
      <span key={kind} role="gridcell" className={classes.value} data-wrong={error ? true : undefined}>
        <input
          value={texts[kind][slot] ?? ''}
          placeholder="0"
          inputMode="decimal"
          autoComplete="off"
          aria-label={`${label} ${unitWords[kind]}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${path}-error` : undefined}
          data-path={path}
          data-slot={slot}
          data-kind={kind}
          tabIndex={slot === stop.slot && kind === stop.kind ? 0 : -1}
          onFocus={(event) => {
            setLast({ slot, kind })
            event.currentTarget.select()
          }}
          onChange={(event) => onChange(typedIn(texts, kind, slot, event.currentTarget.value))}
          onBlur={(event) => {
            const tidy = tidied(kind, event.currentTarget.value)
            if (tidy !== event.currentTarget.value) onChange(typedIn(texts, kind, slot, tidy))
          }}
        />
        <span
          className={classes.handle}
          aria-hidden
          onPointerDown={(event) => {
            event.preventDefault()
            event.currentTarget.setPointerCapture(event.pointerId)
            setDrag({ kind, from: slot, to: slot })
          }}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDrag(null)}
        />
        {error && (
          <small id={`${path}-error`} role="alert">
            {error}
          </small>
        )}
      </span>
    )
  }

  return (
    // The grid handles the keys of its inputs; the stop of Tab is one of them.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="grid"
      aria-label={t('Capacity/Price')}
      className={classes.grid}
      data-columns={perRow}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    >
      {slots.slice(0, perRow).map(({ index }) => (
        <div key={`head ${index}`} className={classes.gridHead} aria-hidden>
          <span />
          {kinds.map((kind) => (
            <span key={kind} data-path={kind}>
              {unitWords[kind]}
            </span>
          ))}
        </div>
      ))}
      {rows.map((row) => (
        <div key={row.index} role="row" className={classes.gridRow}>
          {slots.slice(row.index, row.index + perRow).map(({ index, label }) => (
            <div
              key={index}
              className={classes.cell}
              data-cell={index}
              data-dragged={isDragged(index) || undefined}
              data-questioned={warnedSlots.has(index) || undefined}
            >
              <div className={classes.cellTop}>
                <span role="rowheader" className={classes.hour}>
                  {label}
                  {warnedSlots.has(index) && <IconAlertTriangle size={12} stroke={2} aria-label={t('Warning')} />}
                </span>
                {kinds.map((kind) => cell(index, label, kind))}
              </div>
              <div role="gridcell">{renderUnder(index, index === stop.slot)}</div>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
