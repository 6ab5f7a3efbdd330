import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/da'
import type { FocusEvent } from 'react'
import { currentLanguage, t } from '#lib/i18n.ts'
import classes from './Calendar.module.css'

/** What every calendar here says and looks like; the week starts on Monday by itself. */
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

/** A dialog around the field listens for Escape before the popup does; what has the focus in a popup tells it to stay open. */
export const ownEscape = { 'data-mantine-stop-propagation': 'true' } as const

/** A popup that takes the focus, gives it back, and has Escape to itself. */
export const popup = { position: 'bottom-start', trapFocus: true, returnFocus: true, withRoles: false } as const
export const popupContent = (label: string) => ({
  role: 'dialog',
  'aria-label': label,
  onFocusCapture: ({ target }: FocusEvent<HTMLElement>) => {
    for (const [name, value] of Object.entries(ownEscape)) target.setAttribute(name, value)
  },
})
