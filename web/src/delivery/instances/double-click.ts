import { limits } from '@gridmast/contract/limits.ts'
import { type MouseEvent, useRef } from 'react'

/**
 * A click does `onClick` at once; a second one within 300 ms does `onDouble` too (specification text 1, section 4). Keys are no clicks: Enter
 * pressed twice opens nothing.
 */
export const useDoubleClick = (onClick: () => void, onDouble: (() => void) | undefined) => {
  const lastMs = useRef(-Infinity)
  return (event: MouseEvent) => {
    const isByKey = event.detail === 0
    const isSecond = !isByKey && event.timeStamp - lastMs.current < limits.doubleClickMs
    lastMs.current = isByKey || isSecond ? -Infinity : event.timeStamp
    if (isSecond && onDouble) onDouble()
    else onClick()
  }
}
