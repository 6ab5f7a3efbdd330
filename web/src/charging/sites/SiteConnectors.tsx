import { TextInput } from '@mantine/core'
import {
  type ChargingSite,
  chargingSiteChart,
  endSiteLimit,
  type SiteConnector,
  setSiteLimit,
} from '@gridmast/contract/charging/charging-sites.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { fileOf } from '#lib/download.ts'
import { format } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { connectorModel } from './site-day.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Text, Under } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

const rereadMs = 30_000
/** A car does not charge below this current. */
const minA = 6

const rowsOf = ({ chargers }: ChargingSite): ConnectorRow[] =>
  chargers.flatMap((charger) =>
    charger.connectors.map((one) => ({ ...one, key: `${charger.chargerId} ${one.connectorId}`, charger })),
  )

const nameOf = ({ charger, connectorId }: ConnectorRow) => `${charger.name} · ${connectorId}`

const State = ({ row, fallbackA }: { row: ConnectorRow; fallbackA: number }) => {
  const { charger, controlled, steerable, exceeds, refusal, byHand, charging, heldA, maxA, allowedA, plannedA } = row
  const status = (words: string, more?: string, bad = false) => (
    <Text {...(bad ? { ink: 'down' } : {})}>
      {words}
      {more && <Under style={{ maxWidth: '46ch' }}>{more}</Under>}
    </Text>
  )
  const full = t('Full {{n}} A reserved.', { n: maxA })
  if (!steerable || (!controlled && refusal !== null))
    return status(t('Not controllable'), [refusal && translateText(refusal), full].filter(Boolean).join(' · '), true)
  if (exceeds) return status(t('Draws more than allowed'), t('{{n}} A reserved.', { n: heldA }), true)
  if (!charger.isActive)
    return status(
      t('No contact'),
      t('{{n}} A reserved; without contact it draws at most {{fallback}} A.', { n: heldA, fallback: fallbackA }),
      true,
    )
  if (!controlled) return status(t('Waiting for its fallback limit'), full)
  if (byHand)
    return status(
      t('At most {{n}} A set manually until {{time}}', {
        n: byHand.limitA,
        time: formatDateTime(Date.parse(byHand.until)).slice(0, 16),
      }),
      `${byHand.reason} · ${byHand.by}`,
    )
  if (!charging) return status(t('No session'))
  const planned = plannedA !== null && plannedA < maxA
  const waits = planned && plannedA < minA ? t('Waiting for its plan') : t('Waiting for capacity')
  return status(
    allowedA !== null && allowedA < minA ? waits : t('Charging'),
    planned ? t('Its plan allows {{n}} A in this quarter-hour.', { n: plannedA }) : undefined,
  )
}

type Actions = {
  onLimit: (row: ConnectorRow) => void
  onEnd: (row: ConnectorRow) => void
  isEnding: (row: ConnectorRow) => boolean
}

const useColumns = (fallbackA: number, actions: Actions | null): Columns<ConnectorRow> => {
  return [
    column.text('name', t('Connector'), nameOf, { card: 'lead', sort: true }),
    column.text('phases', t('Phases'), ({ charger }) => charger.phases.replaceAll(/(?<=\d)L/g, ' L')),
    column.cell('state', t('State'), (row) => <State row={row} fallbackA={fallbackA} />, { card: 'plain' }),
    column.figure('allowed', t('Allowed'), ({ allowedA }) => format.amperes(allowedA), {
      hint: t('Limit sent to and confirmed by the running session'),
    }),
    column.figure('schedule', t('Schedule of the charger'), ({ toldA }) => format.amperes(toldA), {
      hint: t('Limit reported by the charger'),
    }),
    column.figure('held', t('Reserved'), ({ heldA }) => format.amperes(heldA), {
      hint: t('Most it may draw now, also without contact'),
    }),
    column.number('draws', t('Draws (kW)'), ({ measuredKw }) => measuredKw, { card: 'corner', decimals: 1 }),
    actions &&
      column.actions(t('Actions'), (row) => [
        row.byHand
          ? {
              text: t('End the limit'),
              label: t('End the limit of {{name}}', { name: nameOf(row) }),
              loading: actions.isEnding(row),
              onClick: () => actions.onEnd(row),
            }
          : row.steerable && {
              text: t('Manual limit'),
              label: t('Manual limit: {{name}}', { name: nameOf(row) }),
              onClick: () => actions.onLimit(row),
            },
      ]),
  ]
}

type Range = ReturnType<typeof useDayOrRange>
type Props = { site: ChargingSite; range: Range; mayEdit: boolean }

export const SiteConnectors = ({ site, range, mayEdit }: Props) => {
  const [limiting, setLimiting] = useState<ConnectorRow | null>(null)
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const ending = useDo(endSiteLimit)
  const rows = rowsOf(site)
  const end = ({ charger: { chargerId }, connectorId }: ConnectorRow) =>
    ending.mutate({ params: { id: site._id }, body: { chargerId, connectorId } })
  const columns = useColumns(
    site.fallbackA,
    mayEdit
      ? {
          onLimit: setLimiting,
          onEnd: end,
          isEnding: ({ charger, connectorId }) =>
            ending.pending.some(({ body }) => body.chargerId === charger.chargerId && body.connectorId === connectorId),
        }
      : null,
  )
  const row = rows.find(({ key }) => key === chosenKey) ?? rows.find(({ charging }) => charging) ?? rows[0]
  return (
    <>
      <Panel label={t('Connectors of {{name}}', { name: site.name })} title={t('Connectors')} bleed>
        <DataTable
          label={t('Connectors')}
          columns={columns}
          rows={rows}
          rowKey={({ key }) => key}
          pageSize={20}
          emptyReason={t('No charger shares this limit yet.')}
        />
      </Panel>
      {row && (
        <ConnectorDay
          site={site}
          row={row}
          range={range}
          picker={
            <Select
              aria-label={t('Connector')}
              size="xs"
              w={190}
              allowDeselect={false}
              data={rows.map((one) => ({ value: one.key, label: nameOf(one) }))}
              value={row.key}
              onChange={setChosenKey}
            />
          }
        />
      )}
      <ManualLimitDialog site={site} row={limiting} onClose={() => setLimiting(null)} />
    </>
  )
}

type DayProps = { site: ChargingSite; row: ConnectorRow; range: Range; picker: ReactNode }

const ConnectorDay = ({ site, row, range, picker }: DayProps) => {
  const { fromMs, toMs } = range.shared.span
  const sent = {
    params: { id: site._id },
    query: { ...range.window, chargerId: row.charger.chargerId, connectorId: String(row.connectorId) },
  }
  const query = useCall(chargingSiteChart, {
    sent,
    keepWhile: `${row.key} ${range.kept}`,
    ...(range.isRunning ? { refetchIntervalMs: rereadMs } : {}),
  })
  const model = useMemo(
    () => query.data && connectorModel(query.data.chart, { fromMs, toMs }),
    [query.data, fromMs, toMs],
  )
  return (
    <ChartPanel
      title={t('Allowed and measured')}
      note={['(kW)', range.words].filter(Boolean).join(' ')}
      height={200}
      controls={picker}
      query={query}
      model={model ?? null}
      failed={t('The data of this connector could not be loaded.')}
      empty={range.words ? t('No sessions in this period') : t('No sessions on this day')}
      foot={t('Dashed: limit of {{name}}. Solid: measured power.', { name: nameOf(row) })}
      onDownload={fileOf(chargingSiteChart, sent)}
    />
  )
}

export type ConnectorRow = SiteConnector & { key: string; charger: ChargingSite['chargers'][number] }
type LimitProps = { site: ChargingSite; row: ConnectorRow | null; onClose: () => void }

/** A limit of one connector for a while, with its reason. */
const ManualLimitDialog = ({ site, row, onClose }: LimitProps) => (
  <CallFormDialog
    title={row ? t('Limit {{name}}', { name: `${row.charger.name} · ${row.connectorId}` }) : ''}
    label={t('Manual limit')}
    submit={t('Set limit')}
    size={480}
    call={setSiteLimit}
    initial={row && { limitA: 6, hours: 4, reason: '' }}
    toBody={(values) => ({ ...values, chargerId: row?.charger.chargerId, connectorId: row?.connectorId })}
    request={{ params: { id: site._id } }}
    onClose={onClose}
  >
    {({ field, number }) => (
      <>
        <DecimalField
          label={t('At most')}
          description={t('Per phase. Cars do not charge below 6 A; 0 A pauses charging.')}
          data-autofocus
          unit="A"
          decimals={0}
          {...number('limitA')}
        />
        <DecimalField
          label={t('Duration of the limit')}
          description={t('Ends automatically, after a week at most.')}
          unit={t('hours')}
          decimals={0}
          {...number('hours')}
        />
        <TextInput
          label={t('Reason')}
          description={t('Shown next to the connector, with your name.')}
          autoComplete="off"
          {...field('reason')}
        />
      </>
    )}
  </CallFormDialog>
)
