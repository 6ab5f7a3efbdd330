import type { ReactNode } from 'react'
import classes from './Tag.module.css'

export type TagKind = 'plain' | 'outline' | 'up' | 'down' | 'warn' | 'brand'

/** A short state or name, whose meaning never depends on the colour alone. */
export const Tag = ({ kind = 'plain', icon, children }: { kind?: TagKind; icon?: ReactNode; children: ReactNode }) => (
  <span className={classes.tag} data-kind={kind}>
    {icon}
    {children}
  </span>
)
