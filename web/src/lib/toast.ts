import { limits } from '@gridmast/contract/limits.ts'
import { createStore } from './store.ts'

/** `undo` adds a button that calls it. */
export type Toast = { kind: 'success' | 'error'; message: string; undo?: () => void }
type Show = (toast: Toast, autoCloseMs: number) => void

// The shell renders toasts; earlier ones wait.
const waiting: Toast[] = []
const shower = createStore<Show | null>(null)

export const showToast = (toast: Toast) => {
  const show = shower.get()
  if (show) show(toast, toast.undo ? limits.undoMs : limits.toastMs)
  else waiting.push(toast)
}

export const connectToasts = (show: Show) => {
  shower.set(show)
  for (const toast of waiting.splice(0)) show(toast, toast.undo ? limits.undoMs : limits.toastMs)
}
