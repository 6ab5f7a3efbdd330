import { UnsavedChanges } from '#ui/Dialog.tsx'
import { Button } from '@mantine/core'
import {
  type ChargingSite,
  findChargingSites,
  removeChargingSite,
  saveGroupPriorities,
} from '@gridmast/contract/charging/charging-sites.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type LocalDate, today } from '@gridmast/contract/time.ts'
import { useThrottledCallback } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLiveChargers, useLiveResume } from '#lib/live.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { noRange, useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Lines, Note, Row, Stack, TextButton } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Lead } from '#ui/Page.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import classes from './charging-sites.module.css'
import { SiteDialog } from './SiteForm.tsx'
import { SiteDay } from './SiteDay.tsx'
import { SiteConnectors } from './SiteConnectors.tsx'
import { kwOf } from './site-day.ts'
import type { UrlProps } from '#lib/url-state.ts'
import type { toolsSearch } from '#charging/fleet/search.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Panel } from '#ui/Panel.tsx'

const rereadMs = 30_000
/** Chargers that reconnect notify of many changes at once. */
const rereadAtMostMs = 1000

const useColumns = (chosen: string | undefined, onChoose: (id: string) => void): Columns<ChargingSite> => {
  const connectors = ({ chargers }: ChargingSite) => chargers.flatMap(({ connectors }) => connectors)
  return [
    column.cell(
      'name',
      t('Name'),
      ({ _id, name }) => (
        <TextButton
          strong
          className={classes.choose}
          aria-current={_id === chosen || undefined}
          onClick={() => onChoose(_id)}
        >
          {name}
        </TextButton>
      ),
      { card: 'lead', sort: ({ name }) => name },
    ),
    column.figure(
      'limit',
      t('Limit per phase'),
      ({ limitA, reserveA }) =>
        reserveA > 0 ? t('{{n}} A, of which {{reserve}} A kept free', { n: limitA, reserve: reserveA }) : `${limitA} A`,
      { sort: ({ limitA }) => limitA },
    ),
    column.number('kw', t('For charging (kW)'), ({ limitA, reserveA }) => kwOf(limitA - reserveA), {
      decimals: 1,
      sort: true,
    }),
    column.text(
      'phases',
      t('Phases'),
      ({ chargers }) =>
        ['L1', 'L2', 'L3'].filter((phase) => chargers.some(({ phases }) => phases.includes(phase))).join(' ') || '–',
    ),
    column.number('connectors', t('Connectors'), (site) => connectors(site).length, { sort: true }),
    column.number('charging', t('Charging now'), (site) => connectors(site).filter(({ charging }) => charging).length, {
      sort: true,
    }),
    column.number('now', t('Power now (kW)'), ({ nowKw }) => nowKw, { card: 'corner', decimals: 1, sort: true }),
  ]
}

export const SitesTab = ({ search, onSearch }: UrlProps<typeof toolsSearch>) => {
  const mayEdit = useCan('charger.edit')
  const [editing, setEditing] = useState<ChargingSite | 'new' | null>(null)
  const read = useCall(findChargingSites, { refetchIntervalMs: rereadMs })
  const reread = useThrottledCallback(() => void read.refetch(), rereadAtMostMs)
  useLiveChargers(reread)
  useLiveResume(reread)
  const [remove, removeDialog] = useConfirm({
    call: removeChargingSite,
    sent: ({ _id }: ChargingSite) => ({ params: { id: _id } }),
    title: t('Delete this site?'),
    text: ({ name, chargers }) =>
      t('Its {{count}} chargers are kept without a shared limit. The chart of {{name}} is deleted.', {
        count: chargers.length,
        name,
      }),
    confirm: t('Delete'),
    danger: true,
  })
  const sites = read.data?.sites ?? []
  const site = sites.find(({ _id }) => _id === search.siteId) ?? sites[0]
  const newestDay = today(useNow(60_000))
  const date = search.date ?? newestDay
  const range = useDayOrRange(date, limits.chargerDays)
  const columns = useColumns(site?._id, (id) => onSearch({ siteId: id === sites[0]?._id ? undefined : id }))
  return (
    <Stack gap={16}>
      <Lead>
        {t('Chargers behind one fuse share its limit.')}{' '}
        {t('Each connector gets a share by priority; a charger without contact keeps its fallback limit.')}
      </Lead>
      <ListPanel
        title={t('Sites')}
        tools={
          mayEdit && (
            <Button leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setEditing('new')}>
              {t('Create site')}
            </Button>
          )
        }
        query={read}
        failed={t('The sites could not be loaded.')}
        columns={columns}
        rows={sites}
        rowKey={({ _id }) => _id}
        pageSize={10}
        emptyReason={t('Create a site for chargers that share a fuse.')}
      />
      {site && (
        <SharedRangeContext value={range.shared}>
          <SiteDay
            key={site._id}
            site={site}
            date={date}
            range={range}
            onDate={(day: LocalDate) => onSearch({ date: day === newestDay ? undefined : day, ...noRange })}
            onEdit={mayEdit ? () => setEditing(site) : null}
            onRemove={mayEdit ? () => remove(site) : null}
          />
          <SiteConnectors key={`connectors ${site._id}`} site={site} range={range} mayEdit={mayEdit} />
        </SharedRangeContext>
      )}
      {read.data && <GroupPriorities priorities={read.data.priorities} mayEdit={mayEdit} />}
      {mayEdit && <SiteDialog editing={editing} sites={sites} onClose={() => setEditing(null)} />}
      {removeDialog}
    </Stack>
  )
}

type Priorities = Data<typeof findChargingSites>['priorities']
type Props = { priorities: Priorities; mayEdit: boolean }

/** Priorities of tag groups, for all sites. */
const GroupPriorities = ({ priorities, mayEdit }: Props) => {
  const [changed, setChanged] = useState<Record<string, number>>({})
  const saving = useDo(saveGroupPriorities)
  const isChanged = Object.keys(changed).length > 0
  const save = () =>
    saving.mutate(
      { body: { priorities: Object.entries(changed).map(([groupId, priority]) => ({ groupId, priority })) } },
      { onSuccess: () => setChanged({}) },
    )
  return (
    <Panel label={t('Priorities')} title={t('Priorities')}>
      <Note ink="ink2" below={8} style={{ maxWidth: '72ch' }}>
        {t('When power is short, tag groups with a higher number come first. Tags without a group have 1.')}
      </Note>
      <UnsavedChanges unsaved={isChanged} />
      {priorities.length === 0 ? (
        <Note ink="ink2" below={8}>
          {t('There are no tag groups yet.')}
        </Note>
      ) : (
        <Lines fields>
          {priorities.map(({ groupId, name, priority }) => (
            <li key={groupId}>
              <span>{name}</span>
              {mayEdit ? (
                <DecimalField
                  aria-label={t('Priority of {{name}}', { name })}
                  size="xs"
                  w={80}
                  decimals={0}
                  initial={changed[groupId] ?? priority}
                  onChange={(decimal) =>
                    setChanged(({ [groupId]: _, ...rest }) =>
                      decimal === undefined || Number(decimal) === priority
                        ? rest
                        : { ...rest, [groupId]: Number(decimal) },
                    )
                  }
                />
              ) : (
                <b className="gm-num">{priority}</b>
              )}
            </li>
          ))}
        </Lines>
      )}
      {mayEdit && priorities.length > 0 && (
        <Row justify="end" style={{ paddingTop: 12 }}>
          <Button disabled={!isChanged} loading={saving.isPending} onClick={save}>
            {t('Save priorities')}
          </Button>
        </Row>
      )}
    </Panel>
  )
}
