import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import type { PlanDetail, PlanForm, PlanHead } from '@gridmast/contract/planning/load-shifting.ts'
import { addDecimals, compareDecimals, multiplyDecimals } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { digits } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Stack, Text, TextButton } from '#ui/Layout.tsx'
import { kwhOf } from './plan-model.ts'
import { endWords, reasonWords, shortTime, type Notice } from './plan-words.ts'
import { Link } from '@tanstack/react-router'
import { Skeleton } from '@mantine/core'

type Solved = Extract<PlanAnswer, { plan: unknown }>

/** Parts of a bill, the sum last. */
export const billParts = [
  ['spot', 'Spot'],
  ['tariff', 'Tariff'],
  ['tax', 'Tax'],
  ['capacity', 'Capacity tariff'],
  ['reserve', 'Lost reserve revenue'],
  ['stored', 'Energy left in the storage'],
  ['total', 'Total'],
] as const

type BillPart = (typeof billParts)[number][0]
type Bill = Record<BillPart, string>
/** Fields of a plan's form that decide which parts its bill has. */
export type BillScope = Pick<PlanForm, 'tariff' | 'capacityDkkPerKw' | 'storage'>
const countedBy: Partial<Record<BillPart, keyof BillScope>> = {
  tariff: 'tariff',
  capacity: 'capacityDkkPerKw',
  stored: 'storage',
}

/** A part that is not calculated is unknown, not 0: chargers bring a tariff of their own. */
const isCounted = (part: BillPart, scope: BillScope, bills: readonly Bill[]): boolean => {
  const by = countedBy[part]
  return !by || scope[by] !== undefined || bills.some((bill) => compareDecimals(bill[part], '0') !== 0)
}

/** The bill by part; null for parts that are not calculated. */
export const billRows = <W extends string>(
  bills: Record<W, Bill>,
  scope: BillScope,
): ({ name: string } & Record<W, string | null>)[] => {
  const all = Object.values<Bill>(bills)
  const ways = Object.keys(bills) as W[] // of a literal object
  return billParts.map(([part, name]) => {
    const amount = (way: W) => (isCounted(part, scope, all) ? bills[way][part] : null)
    const amounts = Object.fromEntries(ways.map((way) => [way, amount(way)])) as Record<W, string | null> // a row for each way
    return { name: t(name), ...amounts }
  })
}

type BillRow = { name: string; plan: string | null; baseline: string | null }

export const BillTable = ({ scope, answer }: { scope: BillScope; answer: Solved }) => {
  const columns: Columns<BillRow> = [
    column.text('name', t('DKK'), ({ name }) => name, { card: 'lead' }),
    column.figure('plan', t('Plan'), ({ plan }) => digits.dkk(plan), { card: 'corner' }),
    column.figure('baseline', t('Baseline'), ({ baseline }) => digits.dkk(baseline)),
  ]
  return (
    <Panel title={t('The whole bill')} label={t('The whole bill')} help="bill" bleed>
      <DataTable
        label={t('The whole bill')}
        columns={columns}
        rows={billRows({ plan: answer.plan.bill, baseline: answer.baseline.bill }, scope)}
        rowKey={({ name }) => name}
        dense
      />
    </Panel>
  )
}

type DeliveryRow = PlanDetail['told'][number]

const answerCell = ({ answer }: DeliveryRow) =>
  answer === null ? '–' : <Tag kind={answer === 'Accepted' ? 'up' : 'warn'}>{translateText(answer)}</Tag>

export const Deliveries = ({ plan }: { plan: PlanDetail }) => {
  const columns: Columns<DeliveryRow> = [
    column.text('name', t('Equipment'), ({ name }) => name, { card: 'lead' }),
    column.text(
      'at',
      t('Notified'),
      ({ at }) => (at === null ? t('Not delivered yet') : formatDateTime(Date.parse(at))),
      { card: 'corner', digits: true },
    ),
    column.cell('answer', t('Answer'), answerCell),
  ]
  return (
    <Panel title={t('Sent to')} label={t('Sent to')} bleed>
      <DataTable label={t('Sent to')} columns={columns} rows={plan.told} rowKey={({ name }) => name} dense />
    </Panel>
  )
}

export const Versions = ({ plan, onOpen }: { plan: PlanDetail; onOpen: (planId: string) => void }) => {
  const columns = versionColumns(plan._id, onOpen)
  return (
    <Panel title={t('Versions')} label={t('Versions')} bleed>
      <DataTable label={t('Versions')} columns={columns} rows={plan.versions} rowKey={({ _id }) => _id} dense />
    </Panel>
  )
}

const versionColumns = (planId: string, onOpen: (planId: string) => void): Columns<PlanHead> => [
  column.cell(
    'version',
    t('Version'),
    ({ _id, version }) => (_id === planId ? version : <TextButton onClick={() => onOpen(_id)}>{version}</TextButton>),
    { card: 'lead' },
  ),
  column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
  column.text('reason', t('Why'), ({ reason }) => (reason ? t(reasonWords[reason]) : '–')),
  column.text('end', t('State'), (one) => stateWords(one), { card: 'corner' }),
]

export const stateWords = ({
  state,
  status,
  accepted,
  ended,
}: Pick<PlanHead, 'state' | 'status' | 'accepted' | 'ended'>): string => {
  if (ended) return t(endWords[ended.reason])
  if (accepted) return t('Followed')
  if (state === 'queued' || state === 'running') return t('Being calculated')
  if (status === 'infeasible') return t('Not possible')
  if (status === 'cancelled') return t('Stopped')
  return status === null || status === 'timed-out' ? t('Not calculated') : t('Not accepted')
}

type QuarterRow = {
  fromMs: number
  kwh: number
  baselineKwh: number
  measuredKwh: number | null
  price: string
  isAssumed: boolean
}

export const QuarterTable = ({ plan, answer }: { plan: PlanDetail; answer: Solved }) => {
  const count = plan.quarters.length
  const [planned, baseline] = [kwhOf(answer.plan, count), kwhOf(answer.baseline, count)]
  const rows = plan.quarters.map((quarter, q): QuarterRow => {
    const measured = plan.measuredWh[q]
    return {
      fromMs: quarter.fromMs,
      isAssumed: quarter.isAssumed,
      kwh: planned[q] ?? 0,
      baselineKwh: baseline[q] ?? 0,
      measuredKwh: typeof measured === 'number' ? measured / 1000 : null,
      price: multiplyDecimals(
        addDecimals(quarter.spotDkkPerMwh, quarter.tariffDkkPerMwh, quarter.taxDkkPerMwh),
        '0.001',
      ),
    }
  })
  const columns = quarterColumns()
  return (
    <Panel title={t('Quarter by quarter')} label={t('Quarter by quarter')} bleed>
      <DataTable
        label={t('Quarter by quarter')}
        columns={columns}
        rows={rows}
        rowKey={({ fromMs }) => String(fromMs)}
        pageSize={24}
        dense
      />
    </Panel>
  )
}

const quarterColumns = (): Columns<QuarterRow> => [
  column.text('from', t('Quarter'), ({ fromMs }) => shortTime(fromMs), { card: 'lead', digits: true }),
  column.figure('kwh', t('Plan (kWh)'), (row) => digits.kwh(row.kwh), { card: 'corner' }),
  column.figure('baseline', t('Baseline (kWh)'), (row) => digits.kwh(row.baselineKwh)),
  column.figure('measured', t('Measured (kWh)'), (row) => digits.kwh(row.measuredKwh), {
    omitWhen: ({ measuredKwh }) => measuredKwh === null,
  }),
  column.figure('price', t('DKK/kWh'), ({ price, isAssumed }) => (
    <>
      {digits.hourDkkPerKwh(price)} {isAssumed && <Tag kind="warn">{t('assumed')}</Tag>}
    </>
  )),
]

/** Assumptions and omissions of a plan or a backtest. */
export const Notices = ({ notices }: { notices: readonly Notice[] }) => {
  if (notices.length === 0) return null
  return (
    <Panel title={t('Notes')} label={t('Notes')}>
      <Stack as="ul" gap={8}>
        {notices.map(({ text, isWarning, market }) => (
          <Text as="li" key={text} ink={isWarning ? 'warn' : 'ink1'}>
            {text}
            {market !== undefined && (
              <>
                {' '}
                <Link
                  className="gm-link"
                  to="/demandResponse/$market"
                  params={{ market }}
                  search={{ tab: 'requestBid' }}
                >
                  {t('Open the bid request')}
                </Link>
              </>
            )}
          </Text>
        ))}
      </Stack>
    </Panel>
  )
}

/** The cards of a result that is being read: figures, two charts and two tables. */
const heights = [64, 300, 200, 96, 240]

export const WaitingCards = () => (
  <Stack gap="cards">
    <span role="status" aria-label={t('Loading')} className="gm-hidden" />
    {heights.map((height) => (
      <Panel key={height}>
        <Skeleton height={height} animate={false} />
      </Panel>
    ))}
  </Stack>
)
