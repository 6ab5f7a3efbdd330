import { useRouter } from '@tanstack/react-router'
import { addDays, formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { useEffect } from 'react'
import { keepFocus } from '#lib/kept-focus.ts'
import { printing } from '#lib/printing.ts'
import { t } from '#lib/i18n.ts'
import { useStore } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { rangeWords } from '#ui/Chart/range-words.ts'
import { formatMonth, parseDate, parseMonth } from '#ui/date/typed-date.ts'
import { useCurrentScreen } from './current-screen.ts'
import classes from './Shell.module.css'

/** A day or a month. */
const wordsOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const [day, month] = [parseDate(value.slice(0, 10)), parseMonth(value)]
  return day ? formatDate(day) : month && formatMonth(month)
}

const betweenWords = (start: unknown, end: unknown): string => {
  const [from, to] = [wordsOf(start), wordsOf(end)]
  return from && to && from !== to ? `${from} – ${to}` : (from ?? to ?? '')
}

/** The time range in the address; empty where the screen has none. */
const rangeOf = (search: Record<string, unknown>): string => {
  const { range, date, days, dateRange, month } = search
  if (typeof range === 'string') return rangeWords(range)
  if (typeof dateRange === 'string') {
    const [start, end] = dateRange.split('..')
    return betweenWords(start, end)
  }
  const between = betweenWords(search['startDate'] ?? search['start'], search['endDate'] ?? search['end'])
  const first = typeof date === 'string' ? parseDate(date) : null
  const last = first && Number.isInteger(days) ? addDays(first, Math.min(Number(days), limits.exportDays) - 1) : date
  return between || betweenWords(date, last) || betweenWords(month, month)
}

/** The focus of a link or button that its own screen took along; a screen reader reads on from the new screen. */
const useFocusAfterChange = () => {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged }) => {
        if (pathChanged && document.activeElement === document.body)
          document.getElementById('content')?.focus({ preventScroll: true })
      }),
    [router],
  )
}

/** Each new screen for a screen reader; loaded after the first screen, whose title is read anyway. */
const ScreenReader = ({ title }: { title: string }) => {
  useFocusAfterChange()
  useEffect(keepFocus, [])
  return (
    <p role="status" className="gm-hidden">
      {title}
    </p>
  )
}

/** Head of a printed screen. */
export const PrintHead = ({ title }: { title: string }) => {
  const { name } = useUser().customerId
  const { search } = useCurrentScreen().place
  const atMs = useStore(printing)
  const range = rangeOf(search)
  return (
    <>
      <ScreenReader title={title} />
      <div className={classes.printHead} data-print="head" aria-hidden>
        <b>{title}</b>
        <span>
          {name}
          {range && ` · ${range}`}
        </span>
        <span>{atMs !== null && t('Printed {{at}}', { at: formatDateTime(atMs).slice(0, 16) })}</span>
      </div>
    </>
  )
}
