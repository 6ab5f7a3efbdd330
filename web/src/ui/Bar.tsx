import type { ComponentProps } from 'react'
import classes from './Bar.module.css'

type Props = ComponentProps<'span'> & {
  percent: number
  height: 4 | 6
  ink?: 'fill' | 'link' | 'up' | 'warn' | 'down' | 'ink3'
  track?: 'sub' | 'line2'
}

/** A bar that is filled from the left. */
export const Bar = ({ percent, height, ink = 'link', track = 'sub', style, ...bar }: Props) => (
  <span
    {...bar}
    style={{
      display: 'block',
      height,
      overflow: 'hidden',
      borderRadius: height / 2,
      background: `var(--gm-${track})`,
      ...style,
    }}
  >
    <span style={{ display: 'block', width: `${percent}%`, height: '100%', background: `var(--gm-${ink})` }} />
  </span>
)

export const ProgressBar = (props: ComponentProps<'progress'>) => <progress className={classes.progress} {...props} />
