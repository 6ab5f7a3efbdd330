import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Fields.module.css'

/** Two columns; with `onlyLook` all fields are disabled, with the reason. */
export const Fields = ({ onlyLook, children }: { onlyLook?: string | null; children: ReactNode }) => (
  <>
    {onlyLook && (
      <p className={classes.note}>
        <IconLock size={16} stroke={1.8} aria-hidden />
        {onlyLook}
      </p>
    )}
    <fieldset className={classes.fields} disabled={Boolean(onlyLook)}>
      {children}
    </fieldset>
  </>
)

export const Wide = ({ children }: { children: ReactNode }) => <div className={classes.wide}>{children}</div>
export const Actions = ({ children }: { children: ReactNode }) => <div className={classes.actions}>{children}</div>
