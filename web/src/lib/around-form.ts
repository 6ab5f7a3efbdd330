import { createContext } from 'react'

type AroundForm = {
  /** Each form has its own id. */
  report: (formId: string, unsaved: boolean) => void
  /** Closes, after a confirmation where a form has unsaved changes. */
  leave: (close: () => void) => void
}

/** The dialog around a form. */
export const AroundForm = createContext<AroundForm>({ report: () => {}, leave: (close) => close() })
