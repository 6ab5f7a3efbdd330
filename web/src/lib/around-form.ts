import { createContext } from 'react'

type AroundForm = {
  report: (formId: string, unsaved: boolean) => void
  /** Closes, with a confirmation when a form has unsaved changes. */
  leave: (close: () => void) => void
}

export const AroundForm = createContext<AroundForm>({ report: () => {}, leave: (close) => close() })
