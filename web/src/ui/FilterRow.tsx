import type { ReactNode } from 'react'
import { usePhone } from '#lib/phone.ts'
import { FilterFold } from './FilterFold.tsx'
import classes from './FilterRow.module.css'

type Props = {
  label: string
  onSubmit: () => void
  children: ReactNode
  actions?: ReactNode
  /** Number of filters in use: on a phone the fields open by a button. Without it they are always shown. */
  chosen?: number
}

/** Fields over a chart or table, what sends them after the last one, other actions at the far right. */
export const FilterRow = ({ label, onSubmit, children, actions, chosen }: Props) => {
  const phone = usePhone()
  const row = (end: ReactNode) => (
    <form
      className={classes.row}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {end && <div className={classes.actions}>{end}</div>}
    </form>
  )
  return phone && chosen !== undefined ? (
    <FilterFold chosen={chosen} actions={actions}>
      {row(null)}
    </FilterFold>
  ) : (
    row(actions)
  )
}
