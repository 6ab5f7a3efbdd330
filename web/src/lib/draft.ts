import { useState } from 'react'

/** Unsubmitted values of filter fields, on top of the applied ones. */
export const useDraft = <T extends object>(applied: T) => {
  const [changed, setChanged] = useState<Partial<T>>({})
  return {
    draft: { ...applied, ...changed },
    change: (part: Partial<T>) => setChanged({ ...changed, ...part }),
    reset: () => setChanged({}),
  }
}
