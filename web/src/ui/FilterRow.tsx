import type { ReactNode } from 'react'
import classes from './FilterRow.module.css'

type Props = { label: string; onSubmit: () => void; children: ReactNode; actions?: ReactNode }

/** Fields over a chart or table, what sends them after the last one, other actions at the far right. */
export const FilterRow = ({ label, onSubmit, children, actions }: Props) => (
  <form
    className={classes.row}
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    {actions && <div className={classes.actions}>{actions}</div>}
  </form>
)
