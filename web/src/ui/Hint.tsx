import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

/** A tooltip on hover or focus, also read by screen readers. */
export const Hint = ({ words, children }: { words: string; children: ReactNode }) => (
  <Tooltip label={words} multiline maw={320}>
    {/* Focusable, so that the tooltip is reachable. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <span tabIndex={0} className={classes.hint}>
      {children}
      <span className="gm-hidden"> {words}</span>
    </span>
  </Tooltip>
)
