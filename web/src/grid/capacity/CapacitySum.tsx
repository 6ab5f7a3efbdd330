import { type Ready, powerCapacitySum, readyTogether } from '@gridmast/contract/grid/capacity.ts'
import type { SignalKind } from '@gridmast/contract/live.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { type LiveValues, useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useFeed } from '#ui/Chart/feed.ts'
import { CapacityPanel, keepMs, kindOf } from './CapacityPanel.tsx'

/** Often enough that an instance which falls silent is told within a minute. */
const rereadMs = minuteMs

type Props = { market: string; instanceIds: string[]; menu: ReactNode; note?: string | undefined }

/** What all instances of a market have ready together. */
export const CapacitySum = ({ market, instanceIds, menu, note }: Props) => {
  const sent = { query: { market } }
  const query = useCall(powerCapacitySum, { sent, refetchIntervalMs: rereadMs })
  const { data } = query
  const feed = useFeed(keepMs, data?.graph[0])
  const [newest] = useState(() => new Map<string, Ready>())
  useEffect(() => {
    for (const { _id, kw, lastReported } of data?.instances ?? []) {
      const ms = lastReported ? Date.parse(lastReported) : 0
      if (kw !== null && ms > (newest.get(_id)?.ms ?? 0)) newest.set(_id, { ms, kw })
    }
  }, [data, newest])
  const take = (instanceId: string, { x, y }: LiveValues) => {
    const at = y.findLastIndex((value) => value !== null)
    const [ms, kw] = [x[at], y[at]]
    // Before the first answer the others are not known, and a part is not the sum.
    if (!data || ms === undefined || kw === undefined || kw === null) return
    newest.set(instanceId, { ms, kw })
    const latestMs = Math.max(...[...newest.values()].map((one) => one.ms))
    // Instances report in the same second: each moves the sum, so the second one comes a millisecond later.
    const before = feed.state.get().x.at(-1) ?? 0
    feed.push({ x: [Math.max(latestMs, before + 1)], y: [readyTogether(newest.values(), latestMs)] })
  }
  const silent = data?.instances.filter(({ kw }) => kw === null).map(({ name }) => name) ?? []
  return (
    <>
      {instanceIds.map((instanceId) => (
        <Follow key={instanceId} instanceId={instanceId} kind={kindOf(market)} onValues={take} />
      ))}
      <CapacityPanel
        market={market}
        menu={menu}
        note={note}
        query={query}
        feed={feed}
        warning={silent.length > 0 && t('Silent for 15 min, not included: {{names}}', { names: silent.join(', ') })}
        onDownload={fileOf(powerCapacitySum, sent)}
      />
    </>
  )
}

type FollowProps = { instanceId: string; kind: SignalKind; onValues: (instanceId: string, values: LiveValues) => void }

/** A hook follows one instance, so there is one of these for each. */
const Follow = ({ instanceId, kind, onValues }: FollowProps) => {
  useLive(instanceId, kind, (values) => onValues(instanceId, values))
  return null
}
