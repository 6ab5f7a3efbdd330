import type { FocusEvent } from 'react'

/** A dialog around the field handles Escape before the popup; this attribute on the focused element keeps it open. */
export const ownEscape = { 'data-mantine-stop-propagation': 'true' } as const

/** A popup that traps and returns the focus, and handles Escape itself. */
export const popup = { position: 'bottom-start', trapFocus: true, returnFocus: true, withRoles: false } as const
export const popupContent = (label: string) => ({
  role: 'dialog',
  'aria-label': label,
  onFocusCapture: ({ target }: FocusEvent<HTMLElement>) => {
    for (const [name, value] of Object.entries(ownEscape)) target.setAttribute(name, value)
  },
})
