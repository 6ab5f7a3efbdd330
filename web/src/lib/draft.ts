import { useState } from 'react'

/** What the fields of a filter hold until Submit, on top of the applied values. */
export const useDraft = <T extends object>(applied: T) => {
  const [changed, setChanged] = useState<Partial<T>>({})
  return {
    draft: { ...applied, ...changed },
    change: (part: Partial<T>) => setChanged({ ...changed, ...part }),
    reset: () => setChanged({}),
  }
}
