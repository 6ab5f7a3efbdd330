import type { ReactNode } from 'react'
import classes from './Notice.module.css'

export const Notice = ({
  title,
  children,
  actions,
  icon,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
  icon: ReactNode
}) => (
  <main className={classes.notice}>
    {icon}
    <h1>{title}</h1>
    {children && <p>{children}</p>}
    {actions && <div>{actions}</div>}
  </main>
)
