import { powerCapacity } from '@gridmast/contract/grid/capacity.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import type { ReactNode } from 'react'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useFeed } from '#ui/Chart/feed.ts'
import { ChoiceMenu } from '#ui/ChoiceMenu.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { CapacityPanel, keepMs, kindOf } from './CapacityPanel.tsx'
import { CapacitySum } from './CapacitySum.tsx'
import { instancesOf, shownOf, allInstances } from './shown.ts'

/** As often as what is sold may change with its slot. */
const rereadMs = minuteMs

type Props = {
  market: string
  instances: Customer['instances']
  /** An instance, or all of them `allInstances`. */
  chosen: string
  onChoose: (chosen: string) => void
  /** What the figures of all instances are. */
  note?: string
}

/** Power capacity of a market, live: of one instance by its name, or of all together. */
export const CapacityCard = ({ market, instances, chosen, onChoose, note }: Props) => {
  const own = instancesOf(market, instances)
  const shown = shownOf(own, chosen)
  if (shown === null)
    return (
      <Panel title={market} note={t('Power capacity')} label={market}>
        <Empty title={t('No instance in this market')}>{t('Ask the operator to add one.')}</Empty>
      </Panel>
    )
  const choices = [
    ...(own.length > 1 ? [{ value: allInstances, label: t('All {{count}} instances', { count: own.length }) }] : []),
    ...own.map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const menu = <ChoiceMenu label={t('Choose an instance')} choices={choices} chosen={shown} onChoose={onChoose} />
  return shown === allInstances ? (
    <CapacitySum market={market} instanceIds={own.map(({ _id }) => _id)} menu={menu} note={note} />
  ) : (
    <OneInstance
      key={shown}
      market={market}
      instanceId={shown}
      menu={menu}
      note={
        own.length > 1
          ? t('This instance alone; Sold Capacity shows all {{n}} together.', { n: own.length })
          : undefined
      }
    />
  )
}

type OneProps = { market: string; instanceId: string; menu: ReactNode; note: string | undefined }

const OneInstance = ({ market, instanceId, menu, note }: OneProps) => {
  const sent = { query: { market, instanceId } }
  const query = useCall(powerCapacity, { sent, refetchIntervalMs: rereadMs })
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
