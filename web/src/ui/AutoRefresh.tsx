import { Switch } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { currentMs, useSecondsUntil } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'

/** Specification text 1, section 9. */
const refreshEveryMs = 30_000

type Props = { on: boolean; onToggle: (on: boolean) => void; onRefresh: () => void }

export const AutoRefresh = ({ on, onToggle, onRefresh }: Props) => {
  const [nextMs, setNextMs] = useState(0)
  const left = useSecondsUntil(on ? nextMs : 0)
  const refresh = useEffectEvent(onRefresh)
  useEffect(() => {
    if (!on) return
    const timer = setTimeout(
      () => {
        refresh()
        setNextMs(currentMs() + refreshEveryMs)
      },
      Math.max(0, nextMs - currentMs()),
    )
    return () => clearTimeout(timer)
  }, [on, nextMs])
  return (
    <Switch
      checked={on}
      label={
        on ? (
          <span className="gm-num">
            {t('Auto refresh')} <span aria-hidden>{t('in {{n}} s', { n: left })}</span>
          </span>
        ) : (
          t('Auto refresh')
        )
      }
      onChange={(event) => {
        setNextMs(currentMs() + refreshEveryMs)
        onToggle(event.currentTarget.checked)
      }}
    />
  )
}
