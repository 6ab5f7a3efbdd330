import type { Sentence } from '#i18n/da.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import type { NavEntry } from './nav.ts'
import type { Place } from './gate.ts'

export type ScreenData = {
  title?: Sentence
  titleOf?: (user: User, place: Place) => string | undefined
  words?: Sentence
  entries?: (user: User) => NavEntry[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: ScreenData
  }
}

type CurrentScreen = { path: string; place: Place; screen: ScreenData }

export const useCurrentScreen = (): CurrentScreen => {
  const match = useRouterState({ select: (state) => state.matches.at(-1) })
  return {
    path: match?.pathname ?? '/',
    place: { params: match?.params ?? {}, search: match?.search ?? {} },
    screen: match?.staticData.screen ?? {},
  }
}

export const useCloseOnLeave = (close: () => void) => {
  const { path } = useCurrentScreen()
  const before = useRef(path)
  const leave = useEffectEvent(close)
  useEffect(() => {
    if (before.current !== path) leave()
    before.current = path
  }, [path])
}

/** The title of the screen, also set as window title. */
export const useTitle = (user: User | null): string => {
  const { place, screen } = useCurrentScreen()
  const named = user && screen.titleOf?.(user, place)
  const title = named ? translateText(named) : screen.title ? t(screen.title) : ''
  useEffect(() => {
    document.title = title ? `${title} · Gridmast` : 'Gridmast'
  }, [title])
  return title
}
