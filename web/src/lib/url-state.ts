import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { z } from 'zod'

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

/** The page of the only list of a screen; the first is left out of the address. */
export const pageSearch = z.object({ page: z.coerce.number().int().min(1).max(10_000).optional().catch(undefined) })

export const usePage = (): [number, (page: number) => void] => {
  const [{ page = 1 }, change] = useUrlState(pageSearch)
  return [page, (next) => change({ page: next === 1 ? undefined : next })]
}
