import { FocusTrap, Popover } from '@mantine/core'
import { type FocusEvent, type ReactNode, Suspense } from 'react'

/** A dialog around the field listens for Escape before the popup does; what has the focus in a popup tells it to stay open. */
export const ownEscape = { 'data-mantine-stop-propagation': 'true' } as const
export const keepEscape = ({ target }: FocusEvent<HTMLElement>) => {
  for (const [name, value] of Object.entries(ownEscape)) target.setAttribute(name, value)
}

type Props = { label: string; height: number; children: ReactNode }

/** The popup of a date field; the calendar comes later than the popup, and takes the focus when it is there. */
export const CalendarDropdown = ({ label, height, children }: Props) => (
  <Popover.Dropdown role="dialog" aria-label={label} onFocusCapture={keepEscape}>
    <Suspense fallback={<div style={{ width: 252, height }} />}>
      <FocusTrap>
        <div>{children}</div>
      </FocusTrap>
    </Suspense>
  </Popover.Dropdown>
)
