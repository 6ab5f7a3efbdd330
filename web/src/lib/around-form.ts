import { createContext } from 'react'

type AroundForm = {
  unsaved: boolean
  /** Each form by a name of its own. */
  report: (form: string, unsaved: boolean) => void
  /** Closes, after a question where a form has unsaved changes. */
  leave: (close: () => void) => void
}

/** The dialog around a form. */
export const AroundForm = createContext<AroundForm>({ unsaved: false, report: () => {}, leave: (close) => close() })
