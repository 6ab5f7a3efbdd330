import type { Direction, DurationClass, Verdict, deltaLoadSteps } from '@gridmast/contract/delivery/events.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import type { Sentence } from '#i18n/da.ts'
import type { TagKind } from '#ui/Tag.tsx'

export const directionWords: Record<Direction, Sentence> = { increased: 'Increased', decreased: 'Decreased' }

export const deltaLoadWords: Record<(typeof deltaLoadSteps)[number], Sentence> = {
  0: 'From 0 %',
  20: 'From 20 %',
  40: 'From 40 %',
  60: 'From 60 %',
  80: 'From 80 %',
  100: '100 %',
}

export const durationWords: Record<DurationClass, Sentence> = {
  'under-1': 'Under 1 min',
  '1-5': '1–5 min',
  '5-15': '5–15 min',
  'over-15': 'Over 15 min',
}

export const verdictWords: Record<Verdict, Sentence> = {
  delivered: 'Delivered',
  'partly delivered': 'Partly delivered',
  'not delivered': 'Not delivered',
  'insufficient data': 'Insufficient data',
  'too small': 'Too small to judge',
}

export const verdictKinds: Record<Verdict, TagKind> = {
  delivered: 'up',
  'partly delivered': 'warn',
  'not delivered': 'down',
  'insufficient data': 'plain',
  'too small': 'plain',
}

const two = (count: number) => String(count).padStart(2, '0')

/** `107` -> `00:01:47` */
export const clockOf = (seconds: number | null): string => {
  if (seconds === null) return unknownText
  const whole = Math.round(seconds)
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two).join(':')
}
