import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Hint.module.css'

/** More words on hover or focus; heard together with what they belong to. */
export const Hint = ({ words, children }: { words: string; children: ReactNode }) => (
  <Tooltip label={words} multiline maw={320}>
    {/* Reachable by keyboard, so that the words are too. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <span tabIndex={0} className={classes.hint}>
      {children}
      <span className="gm-hidden"> {words}</span>
    </span>
  </Tooltip>
)
