import type { Data } from '@gridmast/contract/call.ts'
import { ownCarbon } from '@gridmast/contract/grid/carbon.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useMemo } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Grid } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Select } from '#ui/Select.tsx'
import { ownModel } from './emission.ts'

type OwnInstance = Data<typeof ownCarbon>['instances'][number]

type Props = {
  area: string
  range: ReturnType<typeof useDayOrRange>
  instances: Customer['instances']
  instanceId: string | undefined
  onInstance: (instanceId: string | undefined) => void
}

const all = 'all'
export const OwnCarbonCard = ({ area, range, instances, instanceId, onInstance }: Props) => {
  const now = useNow(60_000)
  const { fromMs, toMs } = range.shared.span
  const when = range.words ?? formatDate(range.first)
  const sent = { query: { ...range.window, area, instanceId } }
  const query = useCall(ownCarbon, { sent, keepWhile: `${area} ${instanceId} ${range.kept}` })
  const { data } = query
  const model = useMemo(
    () => (data ? ownModel(data.graph, { span: { fromMs, toMs }, nowMs: now, missing: t('No data') }) : null),
    [data, fromMs, toMs, now],
  )
  // Without reported consumption the sums are unknown, not zero.
  const sums = data && data.coverage !== null ? data : null
  const isGappy = sums !== null && isBelow100(sums.measured)
  const isPartial = data !== undefined && isBelow100(data.coverage)
  return (
    <Grid columns="3:2" gap="cards">
      <ChartPanel
        title={t('Own emission')}
        help="ownEmission"
        note={`(kg CO₂) ${when}`}
        badge={
          <>
            <Tag>{area}</Tag>
            {isGappy && <Tag kind="warn">{t('{{share}} % measured', { share: digits.percent(data?.measured) })}</Tag>}
            {isPartial && <Tag kind="warn">{t('{{share}} % covered', { share: digits.percent(data?.coverage) })}</Tag>}
          </>
        }
        controls={
          <Select
            aria-label={t('Instance')}
            size="xs"
            w={180}
            data={[
              { value: all, label: t('All instances') },
              ...instances.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
            value={instanceId ?? all}
            allowDeselect={false}
            onChange={(next) => onInstance(next === all || next === null ? undefined : next)}
          />
        }
        figures={
          <>
            <Figure label={t('Emission')} value={sums?.kgCo2} decimals={1} unit="kg" />
            <Figure label={t('Consumption')} value={sums?.kwh} decimals={1} unit="kWh" />
            <Figure
              label={t('Average')}
              value={data && data.kwh > 0 && !isPartial ? (data.kgCo2 * 1000) / data.kwh : null}
              decimals={0}
              unit="g/kWh"
            />
          </>
        }
        height={240}
        query={query}
        model={model}
        failed={t('Your own emission could not be loaded.')}
        empty={t('No consumption in this period')}
        hint={t('No instance in this area reported power.')}
        foot={data && basisOf(data)}
        footRight={t('Hourly kWh × hourly emission')}
        onDownload={fileOf(ownCarbon, sent)}
      />
      {!query.error && (
        <ListPanel
          query={query}
          failed={t('Your own emission could not be loaded.')}
          title={t('By instance')}
          help="ownEmission"
          note={when}
          label={t('Own emission by instance')}
          columns={columnsOf()}
          rows={data?.instances}
          rowKey={({ _id }) => _id}
          emptyReason={t('No instance in this area reported power.')}
          pageSize={15}
        />
      )}
    </Grid>
  )
}

const isBelow100 = (share: number | null) => share !== null && share < 99.95

const basisOf = ({ coverage, measured }: Data<typeof ownCarbon>): string => {
  if (coverage === null) return t('No consumption measured')
  if (isBelow100(measured))
    return t('Power was measured {{share}} % of the time. The rest is not counted.', {
      share: digits.percent(measured),
    })
  if (!isBelow100(coverage)) return t('The emission of all consumption is known.')
  return t('The emission of {{share}} % of the consumption is known. The rest is not included.', {
    share: digits.percent(coverage),
  })
}

const columnsOf = (): Columns<OwnInstance> => [
  column.text('name', t('Instance'), ({ name }) => name, { card: 'lead', sort: true }),
  column.number('kwh', t('Consumption (kWh)'), ({ kwh }) => kwh, { decimals: 1, sort: true }),
  column.number('kgCo2', t('Emission (kg CO₂)'), ({ kgCo2 }) => kgCo2, { decimals: 1, sort: true }),
]
