import type { ReactNode } from 'react'
import classes from './Tag.module.css'

export type Status = 'fresh' | 'stale' | 'failed' | 'off'

/** State by shape and colour: circle, diamond, square, ring. */
export const StatusDot = ({ status, label }: { status: Status; label?: string }) => (
  <span
    className={classes.dot}
    data-status={status}
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
  />
)

export type TagKind = 'plain' | 'outline' | 'up' | 'down' | 'warn' | 'brand'

/** A short state or name, whose meaning never depends on the colour alone. */
export const Tag = ({ kind = 'plain', icon, children }: { kind?: TagKind; icon?: ReactNode; children: ReactNode }) => (
  <span className={classes.tag} data-kind={kind}>
    {icon}
    {children}
  </span>
)
