import type { ReactNode } from 'react'
import classes from './data-hub.module.css'

/** A figure that opens how it came about. */
export const Amount = ({ label, onOpen, children }: { label: string; onOpen: () => void; children: ReactNode }) => (
  <button
    type="button"
    className={`${classes.amount} gm-num`}
    aria-label={label}
    aria-haspopup="dialog"
    onClick={onOpen}
  >
    {children}
  </button>
)
