import { useEffect, useId } from 'react'

const shown = new Map<string, string>()

/** An export that the screen shows is a part of a report of the whole. */
export const useReportPart = (address: string | undefined) => {
  const id = useId()
  useEffect(() => {
    if (address !== undefined) shown.set(id, address)
  }, [id, address])
  useEffect(() => () => void shown.delete(id), [id])
}

/** Addresses of the exports that the screen shows. */
export const shownParts = (): string[] => [...new Set(shown.values())]
