import { Button } from '@mantine/core'
import { type EdgeGateway, findEdges, setEdgeEnabled } from '@gridmast/contract/delivery/edges.ts'
import { isEdgeGood } from '@gridmast/contract/people/instances.ts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Lead, Page } from '#ui/Page.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { EdgeDetails } from './EdgeDetails.tsx'
import { NewEdgeDialog, useRenewSecret } from './EdgeDialogs.tsx'
import { edgesSearch } from './search.ts'

const watchEveryMs = 15_000

type Acts = Record<'onOpen' | 'onRenew' | 'onDisable' | 'onEnable', (edge: EdgeGateway) => void>

const stateOf = ({ enabled, lastReported }: EdgeGateway, nowMs: number) => {
  if (!enabled) return <Tag>{t('Disabled')}</Tag>
  if (lastReported === null) return <Tag kind="warn">{t('Never reported')}</Tag>
  return isEdgeGood(lastReported, nowMs) ? (
    <Tag kind="up">{t('Connected')}</Tag>
  ) : (
    <Tag kind="down">{t('Not reporting')}</Tag>
  )
}

/** Not reporting, never reported, connected, disabled. */
const stateOrder = ({ enabled, lastReported }: EdgeGateway, nowMs: number) => {
  if (!enabled) return 3
  if (lastReported === null) return 1
  return isEdgeGood(lastReported, nowMs) ? 2 : 0
}

const useColumns = (hasOwn: boolean, { onOpen, onRenew, onDisable, onEnable }: Acts): Columns<EdgeGateway> => {
  const now = useNow(10_000)
  return [
    column.cell(
      'name',
      t('Name'),
      (edge) => (
        <TextButton strong roomy onClick={() => onOpen(edge)}>
          {edge.name}
        </TextButton>
      ),
      { card: 'lead', sort: ({ name }) => name },
    ),
    column.cell('key', t('User name'), ({ key }) => <code>{key}</code>, { sort: ({ key }) => key }),
    column.cell('state', t('State'), (edge) => stateOf(edge, now), { sort: (edge) => stateOrder(edge, now) }),
    column.text('area', t('Area'), ({ area }) => area, { sort: true }),
    column.number('instances', t('Instances'), ({ instances }) => instances.length, { sort: true }),
    column.time('reported', t('Last report'), ({ lastReported }) => lastReported, { sort: true }),
    column.cell('managed', t('Managed by'), ({ isOwn }) => (isOwn ? t('Your company') : t('The operator')), {
      sort: ({ isOwn }) => Number(isOwn),
    }),
    hasOwn &&
      column.actions(t('Actions'), (edge) =>
        edge.isOwn
          ? [
              {
                text: t('Renew secret'),
                label: t('Renew secret of {{name}}', { name: edge.name }),
                onClick: () => onRenew(edge),
              },
              edge.enabled
                ? {
                    text: t('Disable'),
                    label: t('Disable {{name}}', { name: edge.name }),
                    onClick: () => onDisable(edge),
                  }
                : {
                    text: t('Enable'),
                    label: t('Enable {{name}}', { name: edge.name }),
                    onClick: () => onEnable(edge),
                  },
            ]
          : [],
      ),
  ]
}

const Edges = () => {
  const [{ edge: opened }, change] = useUrlState(edgesSearch)
  const read = useCall(findEdges, { refetchIntervalMs: watchEveryMs })
  const [adding, setAdding] = useState(false)
  const [renew, renewDialogs] = useRenewSecret()
  const enabling = useDo(setEdgeEnabled)
  const [disable, disableDialog] = useConfirm({
    call: setEdgeEnabled,
    sent: ({ _id }: EdgeGateway) => ({ params: { id: _id }, body: { enabled: false } }),
    title: t('Disable this edge gateway?'),
    text: ({ name }) => t('{{name}} is disconnected at once, and its messages are refused.', { name }),
    confirm: t('Disable'),
    danger: true,
  })
  const edges = read.data?.edges
  const columns = useColumns(edges?.some(({ isOwn }) => isOwn) ?? false, {
    onOpen: ({ _id }) => change({ edge: _id }),
    onRenew: renew,
    onDisable: disable,
    onEnable: ({ _id }) => enabling.mutate({ params: { id: _id }, body: { enabled: true } }),
  })
  const edge = edges?.find(({ _id }) => _id === opened) ?? (edges?.length === 1 ? edges[0] : undefined)
  return (
    <Page>
      <Lead>{t('An edge gateway sends the measurements of your equipment and receives its commands.')}</Lead>
      <ListPanel
        title={t('Edge gateways')}
        tools={
          <Button leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setAdding(true)}>
            {t('New edge gateway')}
          </Button>
        }
        query={read}
        failed={t('The edge gateways could not be loaded.')}
        columns={columns}
        rows={edges}
        rowKey={({ _id }) => _id}
        emptyReason={t('Add the first edge gateway of your company.')}
      />
      {edge && read.data && <EdgeDetails key={edge._id} edge={edge} broker={read.data.broker} />}
      <NewEdgeDialog opened={adding} onClose={() => setAdding(false)} onAdded={(edgeId) => change({ edge: edgeId })} />
      {renewDialogs}
      {disableDialog}
    </Page>
  )
}

export default Edges
