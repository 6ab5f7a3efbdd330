import { Button } from '@mantine/core'
import type { BidPreview, Earned } from '@gridmast/contract/trading/bid-basis.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { useState } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Row, Text } from '#ui/Layout.tsx'
import classes from './bid-requests.module.css'
import { seriesName } from './SlotHints.tsx'
import { dayOf, ordinarySlots, type SlotTexts } from './slot-values.ts'

type Props = { market: string; preview: BidPreview | undefined }

const isOf = (of: Earned) => (one: Earned) => one.product === of.product && one.auction === of.auction
export const EarnedStrip = ({ market, preview }: Props) => {
  const [opened, setOpened] = useState(false)
  const earned = preview?.earned ?? []
  return (
    <Row gap={24} rowGap={8} above={12} plate="sub-raised" className={classes.earned}>
      <Text ink="ink2" size="label" style={{ maxWidth: 130 }}>
        {t('These bids over the last 30 days')}
      </Text>
      {earned.length === 0 && <span>{unknownText}</span>}
      {earned.map((one) => (
        <div key={`${one.product} ${one.auction}`}>
          <Figure label={seriesName(one, market)} value={one.eur} unit="EUR" />
          <Text as="small" ink="ink3" size="tiny">
            {t('won {{won}} of {{sent}}', { won: one.won, sent: one.won + one.lost })}
            {one.unpriced > 0 && ` · ${t('{{n}} without a price', { n: one.unpriced })}`}
          </Text>
        </div>
      ))}
      <Button variant="subtle" size="xs" ml="auto" disabled={earned.length === 0} onClick={() => setOpened(true)}>
        {t('How this is calculated')}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} size={640} title={t('These bids over the last 30 days')}>
        <Row as="p" gap={8} below={8} ink="ink2">
          {t(
            'A bid is won if its price does not exceed the published price of its auction, and is paid that price. Capacity won in the early auction is not offered in the late one. Energy and penalties are not included.',
          )}
        </Row>
        <DataTable<BidPreview['days'][number]>
          label={t('These bids over the last 30 days')}
          dense
          columns={[
            column.date('day', t('Day'), ({ day }) => day, { card: 'lead' }),
            ...earned.flatMap((of) => [
              column.figure(
                `${of.product} ${of.auction} eur`,
                `${seriesName(of, market)} (EUR)`,
                (row: BidPreview['days'][number]) => digits.eur(row.earned.find(isOf(of))?.eur),
              ),
              column.figure(`${of.product} ${of.auction} won`, t('Won'), (row: BidPreview['days'][number]) => {
                const earnedOfDay = row.earned.find(isOf(of))
                return earnedOfDay && earnedOfDay.eur !== null
                  ? `${earnedOfDay.won} / ${earnedOfDay.won + earnedOfDay.lost}`
                  : unknownText
              }),
            ]),
          ]}
          rows={(preview?.days ?? []).toReversed()}
          rowKey={({ day }) => day}
        />
      </Dialog>
    </Row>
  )
}

const pathOf = (mw: readonly number[], top: number) =>
  mw
    .map((value, slot) => {
      const y = 1 - (top > 0 ? value / top : 0) * 0.92
      return `${slot === 0 ? 'M0' : `H${slot / mw.length}`}${slot === 0 ? ` ${y}` : `V${y}`}`
    })
    .join('') + 'H1'

export const DayStrip = ({ market, texts }: { market: string; texts: SlotTexts }) => {
  const { mw, mwHours, mostMw, meanEur, dayEur } = dayOf(market, texts)
  const path = pathOf(mw, Number(mostMw))
  return (
    <Row gap={24} rowGap={8} above={12} plate="sub-raised">
      <Text ink="ink3" size="label" style={{ width: 54 }}>
        {ordinarySlots(market).length === 24 ? t('MW by hour') : t('MW by slot')}
      </Text>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden className={classes.steps}>
        <path d={`${path}V1H0Z`} data-area />
        <path d={path} />
      </svg>
      <Figure label={t('Sum')} value={mwHours} decimals={3} unit="MW·h" />
      <Figure label={t('Highest')} value={mostMw} decimals={3} unit="MW" />
      <Figure label={t('Mean price')} value={meanEur} unit="EUR/MW" />
      <div title={t('If every bid is won at its own price')}>
        <Figure label={t('A day at full award')} value={dayEur} unit="EUR" />
      </div>
    </Row>
  )
}
