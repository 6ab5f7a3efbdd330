import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { z } from 'zod'

/** State that lives in the address, read through a schema; what is undefined is left out of it. */
export const useUrlState = <S extends z.ZodObject>(
  schema: S,
): [z.output<S>, (change: Partial<z.output<S>>) => void] => {
  const search: unknown = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (part: Partial<z.output<S>>) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...part }), replace: true }),
    [navigate],
  )
  return [schema.parse(search), change]
}
