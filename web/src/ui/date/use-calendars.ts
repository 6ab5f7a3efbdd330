import { useState } from 'react'
import type * as Calendars from './Calendars.tsx'

/**
 * The calendars: undefined until they are loaded, null without their file, so that a date can still be typed. `load` is called on focus, before
 * the popup opens, and loads again after a failure.
 */
export const useCalendars = () => {
  const [calendars, setCalendars] = useState<typeof Calendars | null>()
  const load = () => {
    if (!calendars) import('./Calendars.tsx').then(setCalendars, () => setCalendars(null))
  }
  return { calendars, load, early: { onPointerEnter: load, onFocus: load } }
}
