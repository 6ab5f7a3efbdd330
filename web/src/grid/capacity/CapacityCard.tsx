import { type Ready, powerCapacity, powerCapacitySum, readyTogether } from '@gridmast/contract/grid/capacity.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { type ReactNode, useEffect, useState } from 'react'
import type { SignalKind } from '@gridmast/contract/live.ts'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { type LiveValues, useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useFeed } from '#ui/Chart/feed.ts'
import { ChoiceMenu } from '#ui/ChoiceMenu.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { allInstances, chosenInstance, instancesOf } from '#grid/card-requests.ts'
import { CapacityPanel, keepMs, kindOf } from './CapacityPanel.tsx'

/** The sold capacity may change with each slot, and silence must be visible within a minute. */
const refetchIntervalMs = minuteMs

type Props = {
  market: string
  instances: Customer['instances']
  /** An instance, or all of them `allInstances`. */
  chosen: string
  onChoose: (chosen: string) => void
  note?: string
}

/** Power capacity of one instance in a market or of all, live. */
export const CapacityCard = ({ market, instances, chosen, onChoose, note }: Props) => {
  const ofMarket = instancesOf(market, instances)
  const instanceId = chosenInstance(ofMarket, chosen)
  if (instanceId === null)
    return (
      <Panel title={market} note={t('Power capacity')} label={market}>
        <Empty title={t('No instance in this market')}>{t('Ask the operator to add one.')}</Empty>
      </Panel>
    )
  const choices = [
    ...(ofMarket.length > 1
      ? [{ value: allInstances, label: t('All {{count}} instances', { count: ofMarket.length }) }]
      : []),
    ...ofMarket.map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const menu = <ChoiceMenu label={t('Choose an instance')} choices={choices} chosen={instanceId} onChoose={onChoose} />
  return instanceId === allInstances ? (
    <AllInstances market={market} instanceIds={ofMarket.map(({ _id }) => _id)} menu={menu} note={note} />
  ) : (
    <OneInstance
      key={instanceId}
      market={market}
      instanceId={instanceId}
      menu={menu}
      note={
        ofMarket.length > 1
          ? t('This instance alone; Sold Capacity shows all {{n}} together.', { n: ofMarket.length })
          : undefined
      }
    />
  )
}

type OneProps = { market: string; instanceId: string; menu: ReactNode; note: string | undefined }

const OneInstance = ({ market, instanceId, menu, note }: OneProps) => {
  const sent = { query: { market, instanceId } }
  const query = useCall(powerCapacity, { sent, refetchIntervalMs })
  const feed = useFeed(keepMs, query.data?.graph[0])
  useLive(instanceId, kindOf(market), feed.push)
  return (
    <CapacityPanel
      market={market}
      menu={menu}
      note={note}
      query={query}
      feed={feed}
      onDownload={fileOf(powerCapacity, sent)}
    />
  )
}

type SumProps = { market: string; instanceIds: string[]; menu: ReactNode; note: string | undefined }

const AllInstances = ({ market, instanceIds, menu, note }: SumProps) => {
  const sent = { query: { market } }
  const query = useCall(powerCapacitySum, { sent, refetchIntervalMs })
  const { data } = query
  const feed = useFeed(keepMs, data?.graph[0])
  const [newest] = useState(() => new Map<string, Ready>())
  useEffect(() => {
    for (const { _id, kw, lastReported } of data?.instances ?? []) {
      const ms = lastReported ? Date.parse(lastReported) : 0
      if (kw !== null && ms > (newest.get(_id)?.ms ?? 0)) newest.set(_id, { ms, kw })
    }
  }, [data, newest])
  const onValues = (instanceId: string, { x, y }: LiveValues) => {
    const at = y.findLastIndex((value) => value !== null)
    const [ms, kw] = [x[at], y[at]]
    // Before the first answer the other instances are unknown, and a part is not the sum.
    if (!data || ms === undefined || kw === undefined || kw === null) return
    newest.set(instanceId, { ms, kw })
    const latestMs = Math.max(...[...newest.values()].map((one) => one.ms))
    // Instances report in the same second; a later report of that second gets the next millisecond.
    const before = feed.state.get().x.at(-1) ?? 0
    feed.push({ x: [Math.max(latestMs, before + 1)], y: [readyTogether(newest.values(), latestMs)] })
  }
  const silent = data?.instances.filter(({ kw }) => kw === null).map(({ name }) => name) ?? []
  return (
    <>
      {instanceIds.map((instanceId) => (
        <Follow key={instanceId} instanceId={instanceId} kind={kindOf(market)} onValues={onValues} />
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

/** A hook follows one instance. */
const Follow = ({ instanceId, kind, onValues }: FollowProps) => {
  useLive(instanceId, kind, (values) => onValues(instanceId, values))
  return null
}
