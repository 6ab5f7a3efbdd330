import type { ComponentProps } from 'react'
import classes from './layout.module.css'

type Props = ComponentProps<'button'> & {
  /** In the colour of the text around it. */
  plain?: boolean
  strong?: boolean
  underlined?: boolean
  /** The whole row or card presses it. */
  covers?: boolean
}

/** A button that looks like words of the text around it. */
export const TextButton = ({ plain, strong, underlined, covers, className, ...button }: Props) => (
  <button
    type="button"
    className={[classes.textButton, className].filter(Boolean).join(' ')}
    data-plain={plain || undefined}
    data-strong={strong || undefined}
    data-underlined={underlined || undefined}
    data-covers={covers || undefined}
    {...button}
  />
)
