import { limits } from '@gridmast/contract/limits.ts'
import { useEffect, useState } from 'react'
import { t } from '#lib/i18n.ts'
import classes from './Shell.module.css'

/** Counted from the navigation while the page loads underneath, so a slow machine does not wait longer. */
const restMs = () => Math.max(0, limits.firstLoaderMs - performance.now())

/** Covers the first second of the first load, and longer while the account is being read. */
export const FirstLoader = ({ done }: { done: boolean }) => {
  const [over, setOver] = useState(() => restMs() === 0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), restMs())
    return () => clearTimeout(timer)
  }, [])
  if (done && over) return null
  return (
    <div className={classes.loader} role="status" aria-label={t('Loading')}>
      <svg viewBox="0 0 64 32" width={64} height={32} aria-hidden>
        <path d="M2 17h14l7-11 11 21 6-10h22" />
      </svg>
    </div>
  )
}
