import { Button } from '@mantine/core'
import { compareMonths } from '@gridmast/contract/settlement/month-comparison.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { addMonths, type LocalMonth, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { digits, format, simulatedWords } from '#lib/format.ts'
import { useNow } from '#lib/clock.ts'
import { useDraft, type UrlProps } from '#lib/url-state.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Empty, LoadError, Waiting } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Column, type Columns, DataTable } from '#ui/DataTable.tsx'
import { MonthField } from '#ui/date/MonthField.tsx'
import { formatMonth } from '#ui/date/typed-date.ts'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Note, Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { type Comparison, headline, isExplained, isSettled, reasonName, signed, slotName } from './comparison-words.ts'
import { OwnerSelects } from './OwnerSelects.tsx'
import type { economicsSearch } from './search.ts'
import { Waterfall } from './Waterfall.tsx'
import classes from './comparison.module.css'

export const ComparisonTab = ({ search, onSearch }: UrlProps<typeof economicsSearch>) => {
  const running = today(useNow(60_000)).slice(0, 7)
  const month = search.month ?? addMonths(running, -1)
  const against = search.against ?? addMonths(month, -1)
  const { licenseId, instanceId } = search
  const query = { month, against, ...(licenseId ? { licenseId } : {}), ...(instanceId ? { instanceId } : {}) }
  const read = useCall(compareMonths, { sent: { query }, keepWhile: JSON.stringify(query) })
  const { data } = read
  const isSame = data && data.before.revenueEur === data.after.revenueEur && data.slots.length === 0
  const isUnsettled = data && !isSettled(data.before) && !isSettled(data.after)
  return (
    <>
      <Filter
        key={JSON.stringify(query)}
        chosen={{ licenseId, instanceId, month, against }}
        running={running}
        onSubmit={onSearch}
      />
      <LoadError query={read} title={t('The months could not be compared.')} />
      <Panel
        label={t('From one month to the other')}
        help="comparison"
        title={t('{{month}} against {{against}}', { month: formatMonth(month), against: formatMonth(against) })}
        badge={data?.simulated && <Tag kind="outline">{simulatedWords(data.simulated)}</Tag>}
      >
        {!data ? (
          !read.error && <Waiting height={320} />
        ) : isUnsettled ? (
          <Empty title={t('No settlements in these months')}>{t('Choose months with settlements.')}</Empty>
        ) : !isExplained(data) ? (
          <Empty title={t('Revenue unknown')}>
            {t('The revenue of {{months}} is unknown: results or contracts are missing.', {
              months: [data.before, data.after]
                .filter(({ revenueEur }) => revenueEur === null)
                .map((one) => formatMonth(one.month))
                .join(', '),
            })}
          </Empty>
        ) : isSame ? (
          <Empty title={t('No difference')}>{t('The revenue is equal in all slots.')}</Empty>
        ) : (
          <>
            <Text as="p" below={12} weight="strong" className={classes.headline}>
              {headline(data)}
            </Text>
            <Waterfall comparison={data} />
          </>
        )}
        {data && !isUnsettled && <Notes comparison={data} running={running} />}
      </Panel>
      {data && data.slots.length > 0 && <Slots key={`slots ${JSON.stringify(query)}`} comparison={data} />}
      {data && data.missed.length > 0 && <Missed comparison={data} />}
    </>
  )
}

type Chosen = {
  licenseId?: string | undefined
  instanceId?: string | undefined
  month: LocalMonth
  against: LocalMonth
}
type FilterProps = { chosen: Chosen; running: LocalMonth; onSubmit: (chosen: Chosen) => void }

const Filter = ({ chosen, running, onSubmit }: FilterProps) => {
  const { draft, change } = useDraft(chosen)
  return (
    <FilterRow label={t('Months to compare')} onSubmit={() => onSubmit(draft)}>
      <OwnerSelects licenseId={draft.licenseId} instanceId={draft.instanceId} onChange={change} />
      <MonthField
        label={t('Month')}
        value={draft.month}
        max={running}
        onChange={(month) => change({ month, against: addMonths(month, -1) })}
      />
      <MonthField
        label={t('Against')}
        value={draft.against}
        max={running}
        onChange={(against) => change({ against })}
      />
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}

const Notes = ({ comparison: { days, before, after }, running }: { comparison: Comparison; running: LocalMonth }) => {
  const unknown = before.unknown + after.unknown
  return (
    <Stack gap={2} above={12} size="note">
      {days !== null && (
        <Note ink="ink2">
          {t('{{month}} is not over: the first {{count}} days of both months are compared.', {
            month: formatMonth(running),
            count: days,
          })}
        </Note>
      )}
      <Note ink="ink2">
        {t('Energy revenue (not shared): {{after}}, previously {{before}}.', {
          after: energyWords(after),
          before: energyWords(before),
        })}
      </Note>
      {unknown > 0 && (
        <Note ink="warn">{t('{{count}} days are not final and may change the result.', { count: unknown })}</Note>
      )}
    </Stack>
  )
}

const energyWords = (month: Comparison['before']) => format.eur(isSettled(month) ? month.energyEur : null)

const inkOf = (eur: string) => (compareDecimals(eur, '0') < 0 ? 'down' : 'up')

type Slot = Comparison['slots'][number]

const useSlotColumns = (): Columns<Slot> => {
  const part = (reason: keyof Slot['parts']): Column<Slot> =>
    column.figure(reason, reasonName(reason), ({ parts }) => signed(parts[reason]))
  return [
    column.text('instance', t('Instance'), ({ instanceName }) => instanceName, { card: 'lead', cut: 28 }),
    column.text('type', t('Type'), ({ type }) => type, { card: 'plain' }),
    column.text('slot', t('Slot'), ({ market, slot }) => slotName(market, slot), { card: 'plain', digits: true }),
    column.figure('difference', t('Difference (€)'), ({ differenceEur }) => (
      <Text as="b" ink={inkOf(differenceEur)}>
        {signed(differenceEur)}
      </Text>
    )),
    ...(['volume', 'winRate', 'price', 'availability', 'shares'] as const).map(part),
    column.figure('won', t('Won (MW·h)'), (slot) => wonWords(slot)),
  ]
}

const wonWords = ({ before, after }: Slot) =>
  t('{{after}}; previously {{before}}', {
    after: digits.mw(after.wonMwHours),
    before: digits.mw(before.wonMwHours),
  })

const Slots = ({ comparison }: { comparison: Comparison }) => {
  const { slots, otherSlots } = comparison
  const columns = useSlotColumns()
  const [page, setPage] = useState(1)
  return (
    <Panel
      label={t('Slots behind the difference')}
      title={t('Slots behind the difference')}
      help="comparison"
      note={t('hours of the day, over the whole month')}
      bleed
    >
      <DataTable
        label={t('Slots behind the difference')}
        columns={columns}
        rows={slots}
        paging={{ page, onPage: setPage }}
        pageSize={20}
        rowKey={({ instanceId, type, slot }) => `${instanceId} ${type} ${slot}`}
      />
      {otherSlots.count > 0 && (
        <Note className="gm-meta" style={{ padding: '8px 16px' }}>
          {t('All {{count}} other slots: {{eur}} €', {
            count: otherSlots.count,
            eur: signed(otherSlots.differenceEur),
          })}
        </Note>
      )}
    </Panel>
  )
}

type MissedSlot = Comparison['missed'][number]

const useMissedColumns = (): Columns<MissedSlot> => [
  column.date('date', t('Date'), ({ date }) => date, { card: 'plain' }),
  column.text('instance', t('Instance'), ({ instanceName }) => instanceName, { card: 'lead' }),
  column.text('type', t('Type'), ({ type }) => type, { card: 'plain' }),
  column.text('slot', t('Slot'), ({ market, slot }) => slotName(market, slot), { card: 'plain', digits: true }),
  column.number('hours', t('Hours missed'), ({ hours }) => hours),
  column.figure('penalty', t('Penalty (€)'), ({ penaltyEur }) => (
    <Text as="b" ink="down">
      {digits.eur(penaltyEur)}
    </Text>
  )),
]

const Missed = ({ comparison: { missed, after } }: { comparison: Comparison }) => {
  const columns = useMissedColumns()
  return (
    <Panel
      label={t('Sold and not available')}
      title={t('Sold and not available')}
      note={`${formatMonth(after.month)} · ${t('the customer’s part of the penalties')}`}
      bleed
    >
      <DataTable
        label={t('Sold and not available')}
        columns={columns}
        rows={missed}
        rowKey={({ instanceId, type, date, slot }) => `${instanceId} ${type} ${date} ${slot}`}
      />
    </Panel>
  )
}
