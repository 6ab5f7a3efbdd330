import { useEffect, useState } from 'react'

/** The first screen is complete by then, also on a slow phone. */
const loadAfterMs = 5000
export const useAfterFirstScreen = (): boolean => {
  const [isAfter, setAfter] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setAfter(true), loadAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isAfter
}
