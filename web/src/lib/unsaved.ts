import { createContext, useEffect } from 'react'
import { createStore } from './store.ts'

type UnsavedGuard = {
  report: (formId: string, unsaved: boolean) => void
  leave: (close: () => void) => void
}

export const UnsavedGuard = createContext<UnsavedGuard>({ report: () => {}, leave: (close) => close() })

/** Parts of the page that must not be mounted again: unsaved changes, a secret that is shown once. */
const keptParts = createStore(0)

export const isPageKept = () => keptParts.get() > 0

export const useKeptPage = (isKept = true) =>
  useEffect(() => {
    if (!isKept) return
    keptParts.set(keptParts.get() + 1)
    return () => keptParts.set(keptParts.get() - 1)
  }, [isKept])

/** Runs now, or as soon as the page may be mounted again. */
export const whenPageFree = (work: () => void) => {
  if (!isPageKept()) return work()
  const stop = keptParts.subscribe(() => {
    if (isPageKept()) return
    stop()
    work()
  })
}
