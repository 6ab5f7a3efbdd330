import type { ReactNode } from 'react'
import { usePhone } from '#lib/phone.ts'
import { FilterFold } from './FilterFold.tsx'
import classes from './FilterRow.module.css'

type Props = {
  label: string
  onSubmit: () => void
  children: ReactNode
  actions?: ReactNode
  /** Number of active filters; with it the fields are behind a button on a phone. */
  chosen?: number
}

/** Filter fields with the submit button after the last one, and other actions at the far right. */
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
