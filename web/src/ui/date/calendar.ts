import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/da'
import type { FocusEvent } from 'react'
import { currentLanguage, t } from '#lib/i18n.ts'
import classes from './Calendar.module.css'

/** Common settings of all calendars; the week starts on Monday by default. */
export const useCalendar = (min: string | undefined, max: string | undefined) => {
  const language = currentLanguage()
  return {
    className: classes.calendar ?? '',
    locale: language,
    ...(min ? { minDate: min } : {}),
    ...(max ? { maxDate: max } : {}),
    ariaLabels: {
      previousMonth: t('Previous month'),
      nextMonth: t('Next month'),
      previousYear: t('Previous year'),
      nextYear: t('Next year'),
      previousDecade: t('Previous decade'),
      nextDecade: t('Next decade'),
    },
  }
}

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
