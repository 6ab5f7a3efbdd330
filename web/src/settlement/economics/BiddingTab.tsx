import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { Chart } from '#ui/Chart/Chart.tsx'
import { Legend } from '#ui/Chart/ChartPanel.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { Row } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { type Formula, type Line, noEnergyWords, stateOf, sumOf } from './economics-words.ts'
import { biddingModel, type BiddingKind, groupsOf, meanOf, type SlotRow, slotRowsOf, wonMwOf } from './slot-rows.ts'
import classes from './economics.module.css'

type Props = { kind: BiddingKind; row: Settlement; formula: Formula }

export const BiddingTab = ({ kind, row, formula }: Props) => {
  const auctions = [...new Set(formula.lines.map(({ auction }) => auction))].toSorted()
  const [chosen, setChosen] = useState<string | null>(null)
  const auction = chosen !== null && auctions.includes(chosen) ? chosen : auctionWon(formula.lines, auctions)
  const lines = formula.lines.filter((line) => line.auction === auction)
  const rows = slotRowsOf(row.market, row.date, lines)
  const model = biddingModel(kind, row.date, rows)
  if (lines.length === 0)
    return <Empty title={t('Bid not placed')}>{t('No bid was sent for this instance and day.')}</Empty>
  const label = kind === 'price' ? t('Bidding Price (€)') : t('Bidding Capacity (MW)')
  const energyPrices =
    kind === 'price' && formula.isNewest && stateOf(row.modalData.energyStatus) !== 'inactive'
      ? row.modalData.regulationPrice
      : null
  const won = lines.filter((line) => line.won).length
  return (
    <div className={classes.bidding}>
      {auctions.length > 1 && (
        <Segments
          label={t('Auction')}
          value={auction}
          onChange={setChosen}
          data={auctions.map((name) => ({ value: name, label: name }))}
        />
      )}
      <div className={classes.figures}>
        {kind === 'price' ? (
          <>
            <Figure label={t('Mean bid price')} value={meanOf(lines.map(({ bidEur }) => bidEur))} unit="€/MW" />
            <Figure
              label={t('Mean marginal price')}
              value={meanOf(lines.map(({ marginalEur }) => marginalEur))}
              unit="€/MW"
            />
          </>
        ) : (
          <>
            <Figure label={t('Mean bid')} value={meanOf(lines.map(({ bidMw }) => bidMw))} decimals={3} unit="MW" />
            <Figure label={t('Mean won')} value={meanOf(lines.map(wonMwOf))} decimals={3} unit="MW" />
          </>
        )}
        <TextFigure label={t('Slots won')} value={t('{{won}} of {{sent}}', { won, sent: lines.length })} />
        <Figure
          label={t('Capacity revenue')}
          value={won > 0 ? sumOf(lines.flatMap(({ capacityEur }) => capacityEur ?? [])) : null}
          unit="€"
        />
        <Legend
          keys={[
            { name: kind === 'price' ? t('Marginal price') : t('Won'), colour: 1, line: true },
            { name: t('Own bid'), colour: 6, line: true, dashed: true },
          ]}
        />
      </div>
      <Chart label={label} model={model} height={190} />
      <div className={classes.slotTables} data-wide={energyPrices !== null || undefined}>
        {groupsOf(rows).map((group) => (
          <SlotTable key={group[0]?.fromMs} kind={kind} rows={group} energyPrices={energyPrices} />
        ))}
      </div>
      {kind === 'price' && stateOf(row.modalData.energyStatus) === 'inactive' && (
        <p className="gm-meta">
          {energyPriced(row.market)
            ? t('The energy bid has not been placed yet. Please check back later')
            : noEnergyWords(row.type)}
        </p>
      )}
    </div>
  )
}

const auctionWon = (lines: readonly Line[], auctions: readonly string[]): string =>
  auctions.find((name) => lines.some(({ auction, won }) => auction === name && won)) ?? auctions[0] ?? ''

type TableProps = { kind: BiddingKind; rows: readonly SlotRow[]; energyPrices: readonly (string | null)[] | null }

type SlotColumn = { head: string; cell: (row: SlotRow) => ReactNode }

const useSlotColumns = ({ kind, energyPrices }: Omit<TableProps, 'rows'>): SlotColumn[] =>
  kind === 'price'
    ? [
        { head: t('Bid'), cell: ({ line }) => digits.eur(line?.bidEur) },
        { head: t('Marginal'), cell: ({ line }) => <b>{digits.eur(line?.marginalEur)}</b> },
        { head: t('Won'), cell: ({ line }) => <Won line={line} /> },
        ...(energyPrices ? [{ head: '€/MWh', cell: ({ slot }: SlotRow) => digits.eur(energyPrices[slot]) }] : []),
      ]
    : [
        { head: t('Bid'), cell: ({ line }) => digits.fixedMw(line?.bidMw) },
        { head: t('Won'), cell: ({ line }) => <b>{digits.fixedMw(wonMwOf(line))}</b> },
        { head: t('Availability'), cell: ({ line }) => <Available line={line} /> },
      ]

const SlotTable = ({ rows, ...of }: TableProps) => {
  const columns = useSlotColumns(of)
  return (
    <table aria-label={`${rows[0]?.label ?? ''} … ${rows.at(-1)?.label ?? ''}`}>
      <thead>
        <tr>
          <th scope="col">{t('Slot')}</th>
          {columns.map(({ head }) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.fromMs}>
            <th scope="row">{row.label}</th>
            {columns.map(({ head, cell }) => (
              <td key={head}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Won = ({ line }: { line: Line | null }) => {
  if (line === null || line.won === null) return unknownText
  return line.won ? (
    <IconCheck size={15} stroke={2} className={classes.good} role="img" aria-label={t('Won')} />
  ) : (
    <IconX size={15} stroke={2} role="img" aria-label={t('Lost')} />
  )
}

const Available = ({ line }: { line: Line | null }) => {
  if (!line?.won) return unknownText
  return line.missedHours === 0 ? (
    <IconCheck size={15} stroke={2} className={classes.good} role="img" aria-label={t('Available in the whole slot')} />
  ) : (
    <Row as="span" inline gap={4} nowrap ink="warn" size="small">
      <IconAlertTriangle size={13} stroke={2} aria-hidden />
      {t('{{n}} of {{all}} h missed', { n: line.missedHours, all: line.hours })}
    </Row>
  )
}
