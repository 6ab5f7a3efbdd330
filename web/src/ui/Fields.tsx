import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Fields.module.css'

export const Fields = ({ readOnlyReason, children }: { readOnlyReason?: string | null; children: ReactNode }) => (
  <>
    {readOnlyReason && (
      <p className={classes.note}>
        <IconLock size={16} stroke={1.8} aria-hidden />
        {readOnlyReason}
      </p>
    )}
    <fieldset className={classes.fields} disabled={Boolean(readOnlyReason)}>
      {children}
    </fieldset>
  </>
)

export const Wide = ({ children }: { children: ReactNode }) => <div className={classes.wide}>{children}</div>
export const Actions = ({ children }: { children: ReactNode }) => <div className={classes.actions}>{children}</div>
