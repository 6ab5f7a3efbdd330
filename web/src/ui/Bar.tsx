import type { ComponentProps } from 'react'

type Colour = 'fill' | 'link' | 'up' | 'warn' | 'down' | 'ink3'
type Props = ComponentProps<'span'> & {
  percent: number
  height: number
  ink?: Colour
  track?: 'sub' | 'line2' | 'down'
}

/** A bar that is filled from the left. */
export const Bar = ({ percent, height, ink = 'link', track = 'sub', style, ...bar }: Props) => (
  <span
    style={{
      display: 'block',
      height,
      overflow: 'hidden',
      borderRadius: height / 2,
      background: `var(--gm-${track})`,
      ...style,
    }}
    {...bar}
  >
    <span style={{ display: 'block', width: `${percent}%`, height: '100%', background: `var(--gm-${ink})` }} />
  </span>
)
