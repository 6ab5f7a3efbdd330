import { IconTableOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Empty.module.css'

export const Empty = ({ title, children, icon }: { title: string; children?: ReactNode; icon?: ReactNode }) => (
  <div className={classes.empty}>
    {icon ?? <IconTableOff size={20} stroke={1.6} aria-hidden />}
    <b>{title}</b>
    {children && <span>{children}</span>}
  </div>
)
