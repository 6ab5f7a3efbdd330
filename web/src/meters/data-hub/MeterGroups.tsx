import { ActionIcon, Button } from '@mantine/core'
import type { Meter, MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { IconChevronDown, IconChevronRight, IconPencil, IconPlus } from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'
import { SideList } from '#ui/Layout.tsx'
import { StatusDot, Tag } from '#ui/Tag.tsx'
import classes from './data-hub.module.css'
import { cvrText, statusOf, statusWords } from './meter-words.ts'

export type MeterActions = {
  /** Absent where this person may not. */
  onAddKey?: (() => void) | undefined
  onEditGroup?: ((group: MeterGroup) => void) | undefined
  onConfigure?: ((meter: Meter, group: MeterGroup) => void) | undefined
}

type Props = MeterActions & {
  groups: readonly MeterGroup[]
  chosen: string | undefined
  onChoose: (meterId: string) => void
}

/**
 * A click does `onClick` after 300 ms, unless a second one comes meanwhile: then `onDouble` alone (specification text 0, sections 2 and 9).
 * Where there is nothing to do twice nobody waits, and keys are no clicks.
 */
const useLateClick = (onClick: () => void, onDouble: (() => void) | undefined) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return ({ detail }: MouseEvent) => {
    const isSecond = timer.current !== undefined
    clearTimeout(timer.current)
    timer.current = undefined
    if (!onDouble || detail === 0) return onClick()
    if (isSecond) return onDouble()
    timer.current = setTimeout(() => {
      timer.current = undefined
      onClick()
    }, limits.doubleClickMs)
  }
}

/** Keys (CVR) with their meters; a click on a key opens or closes it, a double click edits it. */
export const MeterGroups = ({ groups, chosen, onChoose, onAddKey, onEditGroup, onConfigure }: Props) => {
  const [search, setSearch] = useState('')
  const count = groups.reduce((sum, { meterIdData }) => sum + meterIdData.length, 0)
  const wanted = search.trim().toLowerCase()
  const shown = groups.flatMap((group) => {
    const isNamed = [group.key, cvrText(group.key), group.name ?? ''].join(' ').toLowerCase().includes(wanted)
    const meters = group.meterIdData.filter(
      ({ dataHub, meteringPointId }) =>
        isNamed || [dataHub.name, dataHub.address, meteringPointId].join(' ').toLowerCase().includes(wanted),
    )
    return isNamed || meters.length > 0 ? [{ group, meters }] : []
  })
  return (
    <SideList
      title={t('Meters')}
      count={count}
      search={{ label: t('Find a meter'), value: search, onChange: setSearch }}
      action={
        onAddKey && (
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} stroke={1.8} />} onClick={onAddKey}>
            {t('Add Key')}
          </Button>
        )
      }
    >
      <div className={classes.scroll}>
        {shown.map(({ group, meters }) => (
          <Group
            key={group._id}
            group={group}
            meters={meters}
            isFound={wanted !== ''}
            chosen={chosen}
            onChoose={onChoose}
            onEdit={onEditGroup && (() => onEditGroup(group))}
            onConfigure={onConfigure && ((meter) => onConfigure(meter, group))}
          />
        ))}
        {shown.length === 0 && (
          <p className={classes.none}>{count === 0 && !wanted ? t('No meters yet') : t('No meter found')}</p>
        )}
      </div>
    </SideList>
  )
}

type GroupProps = {
  group: MeterGroup
  meters: readonly Meter[]
  /** Searched for: what is closed is shown too. */
  isFound: boolean
  chosen: string | undefined
  onChoose: (meterId: string) => void
  onEdit: (() => void) | undefined
  onConfigure: ((meter: Meter) => void) | undefined
}

const Group = ({ group, meters, isFound, chosen, onChoose, onEdit, onConfigure }: GroupProps) => {
  const [isClosed, setClosed] = useState(false)
  const onClick = useLateClick(() => setClosed((before) => !before), onEdit)
  const isOpen = isFound || !isClosed
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  const key = cvrText(group.key)
  return (
    <section className={classes.group} aria-label={`${t('CVR')} ${key}`}>
      <div className={classes.groupHead}>
        <button type="button" aria-expanded={isOpen} onClick={onClick}>
          <Icon size={16} stroke={1.8} aria-hidden />
          <span className={classes.groupName}>
            <b className="gm-num">{key}</b> {group.name}
          </span>
          <span className="gm-num">{group.meterIdData.length}</span>
        </button>
        {onEdit && (
          <ActionIcon className={classes.edit ?? ''} aria-label={t('Edit {{name}}', { name: key })} onClick={onEdit}>
            <IconPencil size={15} stroke={1.8} />
          </ActionIcon>
        )}
      </div>
      {isOpen && meters.length === 0 && <p className={classes.none}>{t('No meters under this key')}</p>}
      {isOpen && meters.length > 0 && (
        <ul>
          {meters.map((meter) => (
            <Item
              key={meter.id}
              meter={meter}
              isChosen={meter.id === chosen}
              onChoose={() => onChoose(meter.id)}
              onConfigure={onConfigure && (() => onConfigure(meter))}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type ItemProps = { meter: Meter; isChosen: boolean; onChoose: () => void; onConfigure: (() => void) | undefined }

const Item = ({ meter, isChosen, onChoose, onConfigure }: ItemProps) => {
  const status = statusOf(meter, useNow(60_000))
  const choose = () => {
    if (meter.configured) onChoose()
    else showToast({ kind: 'error', message: t(m.configurationRequired) })
  }
  return (
    <li data-off={!meter.configured || undefined}>
      <button type="button" aria-current={isChosen || undefined} onClick={choose}>
        <StatusDot status={status} label={t(statusWords[status])} />
        <span className={classes.meterName}>
          {meter.dataHub.name}
          <small className="gm-num">{meter.meteringPointId}</small>
        </span>
        {!meter.configured && !onConfigure && <Tag kind="warn">{t('Not configured')}</Tag>}
      </button>
      {!meter.configured && onConfigure && (
        <button
          type="button"
          className={classes.configure}
          aria-label={t('Configure {{name}}', { name: meter.dataHub.name })}
          onClick={onConfigure}
        >
          <Tag kind="warn">{t('Configure')}</Tag>
        </button>
      )}
    </li>
  )
}
