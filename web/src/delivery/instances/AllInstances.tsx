import { ActionIcon, Button, TextInput } from '@mantine/core'
import { type Instance, isEdgeGood } from '@gridmast/contract/people/instances.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { findInstances, type LicenceType } from '@gridmast/contract/people/licences.ts'
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { useDoubleClick } from './InstanceList.tsx'
import { Row } from '#ui/Layout.tsx'
import classes from './instances.module.css'

type Actions = {
  onEdit: ((instance: Instance) => void) | undefined
  onTest: ((instance: Instance) => void) | undefined
}
type Props = Actions & { licence: LicenceType }

const rereadMs = 15_000

type TickProps = { good: boolean; words: string; tone?: 'up' | 'down' | 'warn' }

const Tick = ({ good, words, tone = good ? 'up' : 'down' }: TickProps) => {
  const Icon = good ? IconCheck : IconX
  return (
    <Row as="span" inline gap={6} nowrap className={classes.tick}>
      <Icon size={15} stroke={2} color={`var(--gm-${tone})`} aria-hidden />
      {words}
    </Row>
  )
}

const Name = ({ instance, onEdit }: { instance: Instance; onEdit: Actions['onEdit'] }) => {
  const onClick = useDoubleClick(() => {}, onEdit && (() => onEdit(instance)))
  // A double click is a shortcut; the button at the end of the row does the same by keyboard.
  return onEdit ? (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span className={classes.name} onClick={onClick}>
      {instance.name}
    </span>
  ) : (
    instance.name
  )
}

const useColumns = (licence: LicenceType, { onEdit, onTest }: Actions): Columns<Instance> => {
  const nowMs = useNow(10_000)
  const isGood = ({ edgeLastReported }: Instance) => isEdgeGood(edgeLastReported, nowMs)
  return [
    column.cell('name', t('Name'), (instance) => <Name instance={instance} onEdit={onEdit} />, {
      card: 'lead',
      wraps: true,
      sort: ({ name }) => name,
    }),
    column.text('description', t('Description'), ({ description }) => description, {
      card: 'plain',
      omitWhen: ({ description }) => description === '',
      cut: limits.descriptionCut,
      sort: true,
    }),
    column.text('type', t('License Type'), () => licence.name),
    column.text('market', t('Market'), ({ market }) => market.join(', '), { sort: true }),
    column.cell(
      'bid',
      t('Market Status'),
      ({ bidActive }) => <Tick good={bidActive} words={bidActive ? t('Active') : t('Inactive')} />,
      { sort: ({ bidActive }) => Number(bidActive) },
    ),
    column.cell(
      'edge',
      t('Edge Status'),
      (instance) =>
        instance.edgeLastReported === null ? (
          <Tick good={false} words={t('Never reported')} tone="warn" />
        ) : (
          <Tick good={isGood(instance)} words={isGood(instance) ? t('Reporting') : t('Not reporting')} />
        ),
      { sort: (instance) => Number(isGood(instance)) },
    ),
    (onEdit || onTest) &&
      column.figure(
        'actions',
        onTest ? t('Action') : t('Edit'),
        (instance) => (
          <column.RowActions list={[]}>
            {onTest && (
              <Button size="compact-sm" variant="default" onClick={() => onTest(instance)}>
                {t('Equipment Testing')}
              </Button>
            )}
            {onEdit && (
              <ActionIcon
                data-tip={t('Edit {{name}}', { name: instance.name })}
                aria-label={t('Edit {{name}}', { name: instance.name })}
                onClick={() => onEdit(instance)}
              >
                <IconPencil size={16} stroke={1.8} />
              </ActionIcon>
            )}
          </column.RowActions>
        ),
        { card: 'actions' },
      ),
  ]
}

export const AllInstances = ({ licence, onEdit, onTest }: Props) => {
  const [search, setSearch] = useState('')
  const query = useCall(findInstances, {
    sent: { params: { id: licence._id }, query: {} },
    refetchIntervalMs: rereadMs,
  })
  const searched = search.trim().toLowerCase()
  const all = query.data?.groups ?? []
  const rows = all.filter(({ name, description, market }) =>
    [name, description, ...market].join(' ').toLowerCase().includes(searched),
  )
  return (
    <ListPanel
      title={t('All Instances')}
      tools={
        <>
          <TextInput
            type="search"
            w={200}
            aria-label={t('Find an instance')}
            placeholder={t('Find an instance')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <ExportButton
            disabled={all.length === 0}
            onExport={fileOf(findInstances, { params: { id: licence._id }, query: {} })}
          />
        </>
      }
      query={query}
      failed={t('The instances could not be loaded.')}
      numbered
      columns={useColumns(licence, { onEdit, onTest })}
      rows={rows}
      rowKey={({ _id }) => _id}
      emptyReason={all.length > 0 ? t('No instance matches.') : t('This license has no instances yet.')}
    />
  )
}
