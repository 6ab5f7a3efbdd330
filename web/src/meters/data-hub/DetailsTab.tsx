import { findMeterGroups, type Meter, type MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState, type MouseEvent, useEffect, useRef } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useCall } from '#lib/query.ts'
import { Loaded, Empty, ChartSkeleton } from '#ui/Loaded.tsx'
import { ListAndDetails, Note, Row, SideList, Stack, Text, TextButton } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { MeterDownloadDialog } from './MeterDownloadDialog.tsx'
import type { MeterActions } from './meter-actions.tsx'
import { MeterOverview } from './MeterOverview.tsx'
import type { hubSearch } from './search.ts'
import { cvrText, statusOf, statusWords } from './meter-words.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { IconChevronDown, IconChevronRight, IconPencil, IconPlus } from '@tabler/icons-react'
import { useNow } from '#lib/clock.ts'
import { showToast } from '#lib/toast.ts'
import { StatusDot, Tag } from '#ui/Tag.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './data-hub.module.css'

type DetailsProps = MeterActions & UrlProps<typeof hubSearch>

export const DetailsTab = ({ search, onSearch, ...actions }: DetailsProps) => {
  const small = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false }) ?? false
  const read = useCall(findMeterGroups, {})
  const [downloading, setDownloading] = useState(false)
  if (!read.data)
    return (
      <Panel label={t('Meters')}>
        <Loaded query={read} failed={t('The meters could not be loaded.')} waiting={<ChartSkeleton height={400} />} />
      </Panel>
    )
  const { groups } = read.data
  const meters = groups.flatMap(({ meterIdData }) => meterIdData)
  const first = meters.find(({ configured }) => configured)
  const meter = meters.find(({ id }) => id === search.device) ?? first
  const choose = (id: string) => onSearch({ device: id === first?.id ? undefined : id })
  return (
    <ListAndDetails list="wide">
      {small && meter ? (
        <Select
          label={t('Meter')}
          data={groups.map(({ key, name, meterIdData }) => ({
            group: [cvrText(key), name].filter(Boolean).join(' '),
            items: meterIdData.map(({ id, dataHub, configured }) => ({
              value: id,
              label: dataHub.name,
              disabled: !configured,
            })),
          }))}
          value={meter.id}
          allowDeselect={false}
          onChange={(id) => id && choose(id)}
        />
      ) : (
        <MeterGroups groups={groups} chosen={meter?.id} onChoose={choose} {...actions} />
      )}
      {meter?.configured ? (
        <Stack gap={12}>
          <MeterOverview
            key={meter.id}
            meter={meter}
            search={search}
            onSearch={onSearch}
            onDownload={() => setDownloading(true)}
          />
          <MeterDownloadDialog
            groups={groups}
            chosen={meter.id}
            opened={downloading}
            onClose={() => setDownloading(false)}
          />
        </Stack>
      ) : (
        <Panel label={t('Meter')} style={{ minHeight: 320 }}>
          <Empty title={meters.length === 0 ? t('No meters yet') : translateText(m.configurationRequired)} />
        </Panel>
      )}
    </ListAndDetails>
  )
}

type GroupsProps = MeterActions & {
  groups: readonly MeterGroup[]
  chosen: string | undefined
  onChoose: (meterId: string) => void
}

/**
 * A click calls `onClick` after 300 ms; a second click within that time calls only `onDouble` (specification text 0, sections 2 and 9).
 * Without `onDouble`, and by keyboard, there is no wait.
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
export const MeterGroups = ({ groups, chosen, onChoose, onAddKey, onEditGroup, onConfigure }: GroupsProps) => {
  const [search, setSearch] = useState('')
  const count = groups.reduce((sum, { meterIdData }) => sum + meterIdData.length, 0)
  const searchText = search.trim().toLowerCase()
  const visible = groups.flatMap((group) => {
    const isNamed = [group.key, cvrText(group.key), group.name ?? ''].join(' ').toLowerCase().includes(searchText)
    const meters = group.meterIdData.filter(
      ({ dataHub, meteringPointId }) =>
        isNamed || [dataHub.name, dataHub.address, meteringPointId].join(' ').toLowerCase().includes(searchText),
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
        {visible.map(({ group, meters }) => (
          <Group
            key={group._id}
            group={group}
            meters={meters}
            isSearched={searchText !== ''}
            chosen={chosen}
            onChoose={onChoose}
            onEdit={onEditGroup && (() => onEditGroup(group))}
            onConfigure={onConfigure && ((meter) => onConfigure(meter, group))}
          />
        ))}
        {visible.length === 0 && (
          <Note className={classes.none}>{count === 0 && !searchText ? t('No meters yet') : t('No meter found')}</Note>
        )}
      </div>
    </SideList>
  )
}

type GroupProps = {
  group: MeterGroup
  meters: readonly Meter[]
  /** A search also opens closed keys. */
  isSearched: boolean
  chosen: string | undefined
  onChoose: (meterId: string) => void
  onEdit: (() => void) | undefined
  onConfigure: ((meter: Meter) => void) | undefined
}

const Group = ({ group, meters, isSearched, chosen, onChoose, onEdit, onConfigure }: GroupProps) => {
  const [isClosed, setClosed] = useState(false)
  const onClick = useLateClick(() => setClosed((before) => !before), onEdit)
  const isOpen = isSearched || !isClosed
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  const key = cvrText(group.key)
  return (
    <section className={classes.group} aria-label={`${t('CVR')} ${key}`}>
      <Row nowrap className={classes.groupHead}>
        <TextButton className={classes.groupButton} aria-expanded={isOpen} onClick={onClick}>
          <Icon size={16} stroke={1.8} aria-hidden />
          <span className={classes.name}>
            <Text as="b" className="gm-num" ink="ink1" weight="strong">
              {key}
            </Text>{' '}
            {group.name}
          </span>
          <span className="gm-num">{group.meterIdData.length}</span>
        </TextButton>
        {onEdit && (
          <ActionIcon className={classes.edit ?? ''} aria-label={t('Edit {{name}}', { name: key })} onClick={onEdit}>
            <IconPencil size={15} stroke={1.8} />
          </ActionIcon>
        )}
      </Row>
      {isOpen && meters.length === 0 && <Note className={classes.none}>{t('No meters under this key')}</Note>}
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
    <li>
      <TextButton className={classes.meterButton} aria-current={isChosen || undefined} onClick={choose}>
        <StatusDot status={status} label={t(statusWords[status])} />
        <Text ink={isChosen ? 'link' : meter.configured ? 'ink1' : 'ink3'} weight="medium" className={classes.name}>
          {meter.dataHub.name}
          <Text as="div" ink={isChosen ? 'ink2' : 'ink3'} size="small" weight="normal" className={classes.number}>
            {meter.meteringPointId}
          </Text>
        </Text>
        {!meter.configured && !onConfigure && <Tag kind="warn">{t('Not configured')}</Tag>}
      </TextButton>
      {!meter.configured && onConfigure && (
        <TextButton
          style={{ marginRight: 8 }}
          aria-label={t('Configure {{name}}', { name: meter.dataHub.name })}
          onClick={onConfigure}
        >
          <Tag kind="warn">{t('Configure')}</Tag>
        </TextButton>
      )}
    </li>
  )
}
