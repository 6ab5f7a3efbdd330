import { createContext } from 'react'

type AroundForm = {
  report: (formId: string, unsaved: boolean) => void
  leave: (close: () => void) => void
}

export const AroundForm = createContext<AroundForm>({ report: () => {}, leave: (close) => close() })
