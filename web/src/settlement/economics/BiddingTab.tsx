import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { Chart } from '#ui/Chart/Chart.tsx'
import { Legend } from '#ui/Chart/ChartPanel.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Grid, Note, Row, Stack, Text } from '#ui/Layout.tsx'
import { SmallTable } from '#ui/SmallTable.tsx'
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
    <Stack gap={12}>
      {auctions.length > 1 && (
        <Row>
          <Segments
            label={t('Auction')}
            value={auction}
            onChange={setChosen}
            data={auctions.map((name) => ({ value: name, label: name }))}
          />
        </Row>
      )}
      <Row gap={32} rowGap={8} align="end">
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
        <Text as="div" end="wide">
          <Legend
            keys={[
              { name: kind === 'price' ? t('Marginal price') : t('Won'), colour: 1, line: true },
              { name: t('Own bid'), colour: 6, line: true, dashed: true },
            ]}
          />
        </Text>
      </Row>
      <Chart label={label} model={model} height={190} />
      <Grid fit={energyPrices ? 280 : 220} gap={12} align="start">
        {groupsOf(rows).map((group) => (
          <SmallTable
            key={group[0]?.fromMs}
            label={`${group[0]?.label ?? ''} … ${group.at(-1)?.label ?? ''}`}
            className={[classes.slots, energyPrices && classes.narrow].filter(Boolean).join(' ')}
            columns={slotColumns(kind, energyPrices)}
            rows={group}
            rowKey={({ fromMs }) => fromMs}
          />
        ))}
      </Grid>
      {kind === 'price' && stateOf(row.modalData.energyStatus) === 'inactive' && (
        <Note className="gm-meta">
          {energyPriced(row.market)
            ? t('The energy bid has not been placed yet. Please check back later')
            : noEnergyWords(row.type)}
        </Note>
      )}
    </Stack>
  )
}

const auctionWon = (lines: readonly Line[], auctions: readonly string[]): string =>
  auctions.find((name) => lines.some(({ auction, won }) => auction === name && won)) ?? auctions[0] ?? ''

const slotColumns = (kind: BiddingKind, energyPrices: readonly (string | null)[] | null): Columns<SlotRow> => [
  column.cell('slot', t('Slot'), ({ label }) => <Text ink="ink3">{label}</Text>),
  ...(kind === 'price'
    ? [
        column.figure('bid', t('Bid'), ({ line }: SlotRow) => digits.eur(line?.bidEur)),
        column.figure('marginal', t('Marginal'), ({ line }: SlotRow) => strong(digits.eur(line?.marginalEur))),
        column.figure('won', t('Won'), ({ line }: SlotRow) => <Won line={line} />),
        energyPrices && column.figure('energy', '€/MWh', ({ slot }: SlotRow) => digits.eur(energyPrices[slot])),
      ]
    : [
        column.figure('bid', t('Bid'), ({ line }: SlotRow) => digits.fixedMw(line?.bidMw)),
        column.figure('won', t('Won'), ({ line }: SlotRow) => strong(digits.fixedMw(wonMwOf(line)))),
        column.figure('available', t('Availability'), ({ line }: SlotRow) => <Available line={line} />),
      ]),
]

const strong = (text: string) => (
  <Text as="b" weight="strong">
    {text}
  </Text>
)

const Won = ({ line }: { line: Line | null }) => {
  if (line === null || line.won === null) return unknownText
  return line.won ? (
    <IconCheck size={15} stroke={2} color="var(--gm-up)" role="img" aria-label={t('Won')} />
  ) : (
    <IconX size={15} stroke={2} role="img" aria-label={t('Lost')} />
  )
}

const Available = ({ line }: { line: Line | null }) => {
  if (!line?.won) return unknownText
  return line.missedHours === 0 ? (
    <IconCheck size={15} stroke={2} color="var(--gm-up)" role="img" aria-label={t('Available in the whole slot')} />
  ) : (
    <Row as="span" inline gap={4} nowrap ink="warn" size="small">
      <IconAlertTriangle size={13} stroke={2} aria-hidden />
      {t('{{n}} of {{all}} h missed', { n: line.missedHours, all: line.hours })}
    </Row>
  )
}
