import { ageText, StatusDot } from '#ui/Tag.tsx'
import { limits } from '@gridmast/contract/limits.ts'
import { type MouseEvent, useRef, useState } from 'react'
import { ActionIcon } from '@mantine/core'
import { edgeAgeMinutes, type Instance, isEdgeGood } from '@gridmast/contract/people/instances.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useNow } from '#lib/clock.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useLive } from '#lib/live.ts'
import { useFeed, useNewest } from '#ui/Chart/feed.ts'
import { Text, SideList } from '#ui/Layout.tsx'
import classes from './instances.module.css'

/**
 * A click does `onClick` at once; a second one within 300 ms does `onDouble` too (specification text 1, section 4). Keys are no clicks: Enter
 * pressed twice opens nothing.
 */
export const useDoubleClick = (onClick: () => void, onDouble: (() => void) | undefined) => {
  const lastMs = useRef(-Infinity)
  return (event: MouseEvent) => {
    const isByKey = event.detail === 0
    const isSecond = !isByKey && event.timeStamp - lastMs.current < limits.doubleClickMs
    lastMs.current = isByKey || isSecond ? -Infinity : event.timeStamp
    if (isSecond && onDouble) onDouble()
    else onClick()
  }
}

type Props = {
  instances: readonly Instance[]
  chosen: string
  onChoose: (instanceId: string) => void
  onEdit: ((instance: Instance) => void) | undefined
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
}

/** The instances of a licence: a click selects one, a double click edits it. */
export const InstanceList = ({ instances, chosen, onChoose, onEdit, collapsed, onCollapse }: Props) => {
  const [search, setSearch] = useState('')
  const words = collapsed ? t('Show the instances') : t('Hide the instances')
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const searched = search.trim().toLowerCase()
  const matching = instances.filter(({ name, market }) => [name, ...market].join(' ').toLowerCase().includes(searched))
  return (
    <SideList
      title={t('Instances')}
      count={instances.length}
      collapsed={collapsed}
      search={{ label: t('Find an instance'), value: search, onChange: setSearch }}
      action={
        <ActionIcon
          data-tip={words}
          aria-label={words}
          aria-expanded={!collapsed}
          onClick={() => onCollapse(!collapsed)}
        >
          <Icon size={18} stroke={1.6} />
        </ActionIcon>
      }
    >
      <ul className={classes.items}>
        {matching.map((instance) => (
          <Item
            key={instance._id}
            instance={instance}
            isChosen={instance._id === chosen}
            onChoose={() => onChoose(instance._id)}
            onEdit={onEdit && (() => onEdit(instance))}
          />
        ))}
      </ul>
    </SideList>
  )
}

type ItemProps = { instance: Instance; isChosen: boolean; onChoose: () => void; onEdit: (() => void) | undefined }

const Item = ({ instance, isChosen, onChoose, onEdit }: ItemProps) => {
  const onClick = useDoubleClick(onChoose, onEdit)
  const { name, market, edgeLastReported } = instance
  const isGood = isEdgeGood(edgeLastReported, useNow(10_000))
  return (
    <li>
      <button type="button" aria-current={isChosen || undefined} onClick={onClick}>
        <StatusDot status={isGood ? 'fresh' : 'stale'} />
        <span className={classes.itemName}>
          {name}
          <small>{market.join(', ')}</small>
        </span>
        <State instance={instance} isGood={isGood} />
      </button>
    </li>
  )
}

/** Current power, or the age of the edge's last report from 15 minutes on. */
const State = ({ instance, isGood }: { instance: Instance; isGood: boolean }) => {
  const feed = useFeed(minuteMs, undefined)
  useLive(instance._id, 'power', feed.push)
  const newest = useNewest(feed)
  const nowMs = useNow(10_000)
  const { edgeLastReported } = instance
  if (newest && newest.value !== null) return <span className="gm-num">{format.kw(newest.value)}</span>
  if (edgeLastReported === null) return <Text ink="warn">{t('Never reported')}</Text>
  if (isGood) return null
  return (
    <Text ink="warn">
      {t('Stale')}, {ageText(edgeAgeMinutes(edgeLastReported, nowMs) * minuteMs)}
    </Text>
  )
}
