import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { printing } from '#lib/printing.ts'
import { t } from '#lib/i18n.ts'
import { useStore } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { rangeWords } from '#ui/Chart/range-words.ts'
import { useCurrentScreen } from './current-screen.ts'
import classes from './Shell.module.css'

const dayOf = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? formatDate(value.slice(0, 10)) : null

/** The time range in the address; empty where the screen has none. */
const rangeOf = (search: Record<string, unknown>): string => {
  const { range, date, month } = search
  if (typeof range === 'string') return rangeWords(range)
  const [from, to] = [dayOf(search['startDate'] ?? search['start']), dayOf(search['endDate'] ?? search['end'])]
  if (from && to && from !== to) return `${from} – ${to}`
  return from ?? to ?? dayOf(date) ?? (typeof month === 'string' ? month : '')
}

/** Head of a printed screen. */
export const PrintHead = ({ title }: { title: string }) => {
  const { name } = useUser().customerId
  const { search } = useCurrentScreen().place
  const atMs = useStore(printing)
  const range = rangeOf(search)
  return (
    <div className={classes.printHead} data-print="head" aria-hidden>
      <b>{title}</b>
      <span>
        {name}
        {range && ` · ${range}`}
      </span>
      <span>{atMs !== null && t('Printed {{at}}', { at: formatDateTime(atMs).slice(0, 16) })}</span>
    </div>
  )
}
