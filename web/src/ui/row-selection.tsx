import type { BulkResult } from '@gridmast/contract/bulk.ts'
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import {
  type ComponentProps,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { isShortcut } from '#lib/shortcuts.ts'
import { showToast } from '#lib/toast.ts'
import type { Column } from './DataTable.tsx'
import { Row, Text } from './Layout.tsx'
import classes from './ListTools.module.css'

/** Of one act, as the calls limit it. */
const maxSelected = 100

export type Bulk<RowType> = {
  name: (row: RowType) => string
  /** Rows without the act have no checkbox. */
  can?: (row: RowType) => boolean
  renderActs: (rows: readonly RowType[], onDone: (result: BulkResult) => void) => ReactNode
}

/** Rows of the visible page that are selected, and the reason for each row that an act did not change. */
export const useSelection = <RowType,>(
  rows: readonly RowType[],
  keyOf: (row: RowType) => string,
  bulk: Bulk<RowType> | undefined,
) => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<BulkResult['failed']>([])
  const { can = () => true, name, renderActs } = bulk ?? {}
  const selectable = bulk ? rows.filter(can) : []
  const chosen = selectable.filter((row) => selected.has(keyOf(row)))
  const toggle = (row: RowType) => {
    if (selectable.includes(row))
      setSelected((before) => {
        const key = keyOf(row)
        return new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key])
      })
  }
  const onDone = (result: BulkResult) => {
    const { done, failed: refused } = result
    showToast(
      refused.length === 0
        ? { kind: 'success', message: t('Changed: {{n}}', { n: done.length }) }
        : {
            kind: 'error',
            message: t('Changed: {{n}}. Not changed: {{failed}}, with the reason in the row.', {
              n: done.length,
              failed: refused.length,
            }),
          },
    )
    setFailed(refused)
    setSelected(new Set(result.failed.map(({ _id }) => _id)))
  }
  const all = chosen.length === Math.min(selectable.length, maxSelected)
  const column: Column<RowType> = {
    key: 'select',
    title: t('Select'),
    head: (
      <Checkbox
        size="xs"
        aria-label={t('Select all rows')}
        disabled={selectable.length === 0}
        checked={chosen.length > 0 && all}
        indeterminate={chosen.length > 0 && !all}
        onChange={() => setSelected(new Set(all ? [] : selectable.slice(0, maxSelected).map(keyOf)))}
      />
    ),
    cell: (row) =>
      can(row) && (
        <Checkbox
          size="xs"
          aria-label={t('Select {{name}}', { name: name?.(row) ?? '' })}
          checked={selected.has(keyOf(row))}
          onChange={() => toggle(row)}
        />
      ),
    card: 'select',
    omitWhen: (row) => !can(row),
  }
  const bar = chosen.length > 0 && renderActs && (
    <div className={classes.bulk} role="group" aria-label={t('Selected rows')}>
      <span role="status" className="gm-num">
        {t('{{n}} selected', { n: chosen.length })}
      </span>
      <Row gap={8}>{renderActs(chosen, onDone)}</Row>
      <ActionIcon aria-label={t('Clear the selection')} onClick={() => setSelected(new Set())}>
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
    </div>
  )
  const failureOf = (row: RowType) => {
    const failure = failed.find(({ _id }) => _id === keyOf(row))
    return failure && <Text ink="down">{translateText(failure.message)}</Text>
  }
  return { column, toggle, bar, failureOf, isSelected: (row: RowType) => selected.has(keyOf(row)) }
}

const stepOf = (press: ReactKeyboardEvent, isOnRow: boolean): number | undefined => {
  if (isShortcut(press, 'nextRow') || (isOnRow && press.key === 'ArrowDown')) return 1
  if (isShortcut(press, 'previousRow') || (isOnRow && press.key === 'ArrowUp')) return -1
  return undefined
}
const isControl = (target: Element) => target.closest('a, button, input, label, select, textarea, summary') !== null
const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')

type RowActs<RowType> = { onOpen: ((row: RowType) => void) | undefined; onToggle: (row: RowType) => void }

/** Rows by keyboard: one tab stop; j and k move, Enter opens, x selects. A click outside of controls and selected text opens too. */
export const useRowKeys = <RowType,>({ onOpen, onToggle }: RowActs<RowType>) => {
  const [current, setCurrent] = useState(0)
  const first = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    const start = (event: KeyboardEvent) => {
      if (!isShortcut(event, 'nextRow')) return
      const row = first.current
      if (document.activeElement !== document.body || row !== document.querySelector('tr[data-key-rows]')) return
      event.preventDefault()
      row?.focus()
    }
    document.addEventListener('keydown', start)
    return () => document.removeEventListener('keydown', start)
  }, [])
  return (
    row: RowType,
    i: number,
  ): ComponentProps<'tr'> & { 'data-key-rows': true; 'data-opens': true | undefined } => ({
    ref: i === 0 ? first : undefined,
    'data-key-rows': true,
    className: classes.row,
    'data-opens': onOpen !== undefined || undefined,
    onClick: ({ target, currentTarget }) => {
      // Events of dialogs and menus of the row bubble to it.
      if (!(target instanceof Element) || !currentTarget.contains(target) || isControl(target)) return
      if (getSelection()?.isCollapsed ?? true) onOpen?.(row)
    },
    tabIndex: i === current ? 0 : -1,
    onFocus: () => setCurrent(i),
    onKeyDown: (event) => {
      const { currentTarget, target } = event
      if (isTyping(target) || event.ctrlKey || event.metaKey || event.altKey) return
      const isOnRow = target === currentTarget
      const step = stepOf(event, isOnRow)
      if (step !== undefined) {
        const rows = [
          ...(currentTarget.parentElement?.querySelectorAll<HTMLElement>(':scope > tr[data-key-rows]') ?? []),
        ]
        rows[rows.indexOf(currentTarget) + step]?.focus()
      } else if (isShortcut(event, 'openRow') && isOnRow) onOpen?.(row)
      else if (isShortcut(event, 'selectRow')) onToggle(row)
      else return
      event.preventDefault()
    },
  })
}
