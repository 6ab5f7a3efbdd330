import { useEffect, useEffectEvent } from 'react'

type Shortcut = { key: string; mod?: boolean }

/** All shortcuts: their handlers use this table, and the keyboard sheet lists it. */
export const shortcuts = {
  search: { key: 'k', mod: true },
  sheet: { key: '?' },
  nextResult: { key: 'ArrowDown' },
  previousResult: { key: 'ArrowUp' },
  openResult: { key: 'Enter' },
  nextRow: { key: 'j' },
  previousRow: { key: 'k' },
  openRow: { key: 'Enter' },
  selectRow: { key: 'x' },
  earlier: { key: 'ArrowLeft' },
  later: { key: 'ArrowRight' },
  first: { key: 'Home' },
  last: { key: 'End' },
  zoomIn: { key: '+' },
  zoomOut: { key: '-' },
  wholeChart: { key: 'Escape' },
  rowStart: { key: 'Home' },
  rowEnd: { key: 'End' },
  topCell: { key: 'PageUp' },
  bottomCell: { key: 'PageDown' },
  firstCell: { key: 'Home', mod: true },
  lastCell: { key: 'End', mod: true },
  editCell: { key: 'F2' },
  fillDown: { key: 'd', mod: true },
} as const satisfies Record<string, Shortcut>
export type ShortcutName = keyof typeof shortcuts

type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

/** Shift is not compared: layouts differ in the signs that need it. */
export const isShortcut = (press: Press, name: ShortcutName): boolean => {
  const { key, mod = false }: Shortcut = shortcuts[name]
  return press.key.toLowerCase() === key.toLowerCase() && (press.ctrlKey || press.metaKey) === mod && !press.altKey
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** A shortcut of the whole portal; one without Ctrl or Cmd is text in a field. */
export const useShortcut = (name: ShortcutName, run: () => void) => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event, name) || (!('mod' in shortcuts[name]) && isField(event.target))) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

const signs: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}

export const keysOf = (name: ShortcutName): string[] => {
  const { key, mod }: Shortcut = shortcuts[name]
  const sign = signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return mod ? [navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl', sign] : [sign]
}
