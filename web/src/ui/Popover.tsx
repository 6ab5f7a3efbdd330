import {
  cloneElement,
  type KeyboardEventHandler,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import classes from './Popover.module.css'

type Props = {
  /** The button that opens it. */
  target: ReactElement<{
    id?: string
    popoverTarget?: string
    'aria-haspopup'?: 'dialog' | 'menu'
    'aria-expanded'?: boolean
  }>
  label: string | undefined
  role?: 'dialog' | 'menu'
  /** Which edges of target and popover are aligned. */
  align?: 'start' | 'end'
  className?: string | undefined
  ref?: Ref<HTMLDivElement>
  onChange?: (opened: boolean) => void
  onKeyDown?: KeyboardEventHandler<HTMLDivElement>
  onClick?: () => void
  /** The content exists while it is closed too: it opens at once. */
  prepared?: boolean
  children: ReactNode
}

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'

/** Above everything, also dialogs; Escape or a click outside closes it. */
export const Popover = ({
  target,
  label,
  role = 'dialog',
  align = 'end',
  className,
  onChange,
  prepared = false,
  children,
  ...rest
}: Props) => {
  const id = useId()
  const [opened, setOpened] = useState(false)
  return (
    <>
      {cloneElement(target, { id: `${id}-target`, popoverTarget: id, 'aria-haspopup': role, 'aria-expanded': opened })}
      <div
        {...rest}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        aria-labelledby={label ? undefined : `${id}-target`}
        tabIndex={-1}
        className={`${classes.popover} ${className ?? ''}`}
        data-align={align}
        onBeforeToggle={({ newState }) => {
          if (newState === 'closed') return
          // The content exists before the browser places the popover.
          flushSync(() => setOpened(true))
          onChange?.(true)
        }}
        onToggle={({ newState, currentTarget }) => {
          // Not before: the browser returns the focus only from an element that still exists.
          if (newState === 'closed') {
            setOpened(false)
            onChange?.(false)
          } else if (!currentTarget.contains(document.activeElement))
            (currentTarget.querySelector<HTMLElement>(focusable) ?? currentTarget).focus()
        }}
        // A dialog of Mantine closes on Escape too, unless the focused element has this attribute.
        onFocusCapture={(event) => event.target.setAttribute('data-mantine-stop-propagation', 'true')}
      >
        {(opened || prepared) && children}
      </div>
    </>
  )
}
