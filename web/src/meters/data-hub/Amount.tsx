import type { ReactNode } from 'react'
import classes from './data-hub.module.css'
import { TextButton } from '#ui/Layout.tsx'

/** A figure that opens how it came about. */
export const Amount = ({ label, onOpen, children }: { label: string; onOpen: () => void; children: ReactNode }) => (
  <TextButton plain className={classes.amount} aria-label={label} aria-haspopup="dialog" onClick={onOpen}>
    {children}
  </TextButton>
)
