import classes from './StatusDot.module.css'

export type Status = 'fresh' | 'stale' | 'failed' | 'off'

/** State by shape and colour: circle, diamond, square, ring. */
export const StatusDot = ({ status, label }: { status: Status; label?: string }) => (
  <span
    className={classes.dot}
    data-status={status}
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
  />
)
