import { sentBidFile } from '@gridmast/contract/trading/bid-files.ts'
import { findBids, type Bids } from '@gridmast/contract/trading/bid-basis.ts'
import type { BidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime, localSpan } from '@gridmast/contract/time.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadCall } from '#lib/download.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { LoadError } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './bid-requests.module.css'
import { seriesName } from './SlotHints.tsx'

type Bid = Bids['bids'][number]

/** The auction bought nothing, so the bid is lost although its price is not above the published one. */
const isUnbought = ({ won, decidedBy, priceEur, marginalPriceEur }: Bid) =>
  won === false &&
  decidedBy === 'price' &&
  marginalPriceEur !== null &&
  compareDecimals(priceEur, marginalPriceEur) <= 0

const useColumns = (market: string): Columns<Bid> => {
  const hours = ({ start, end }: Bid) => localSpan(Date.parse(start), Date.parse(end))
  return [
    column.cell('time', t('Time'), hours, { card: 'lead', digits: true }),
    column.text('auction', t('Auction'), (bid) => seriesName(bid, market)),
    column.figure('capacity', 'MW', ({ capacityMw }) => digits.fixedMw(capacityMw)),
    column.figure('price', 'EUR/MW', ({ priceEur }) => digits.eur(priceEur)),
    column.figure('marginal', t('Published (EUR/MW)'), ({ marginalPriceEur }) => digits.eur(marginalPriceEur)),
    column.figure('won', t('Won (MW)'), ({ wonMw }) => digits.fixedMw(wonMw)),
    column.cell(
      'state',
      t('Status'),
      (bid) => (
        <Row as="span" inline gap={8}>
          {bid.won === null ? (
            <Tag kind="warn">{t('Not decided')}</Tag>
          ) : (
            <Tag kind={bid.won ? 'up' : 'plain'}>{bid.won ? t('Won') : t('Lost')}</Tag>
          )}
          {bid.decidedBy === 'result-file' && <small>{t('by the operator’s file')}</small>}
          {isUnbought(bid) && <small>{t('nothing was bought')}</small>}
        </Row>
      ),
      { card: 'corner' },
    ),
  ]
}

export const BidOutcomes = ({ row }: { row: BidRequest }) => {
  const [day, setDay] = useState<string | null>(null)
  const columns = useColumns(row.biddingMarket)
  const read = useCall(findBids, { sent: { params: { id: row._id }, query: day ? { day } : {} }, keepWhile: row._id })
  const data = read.data
  const download = (auction: string) =>
    downloadCall(sentBidFile, { params: { id: row._id }, query: { day: data?.day ?? '', auction, format: 'csv' } })
  return (
    <>
      <LoadError query={read} title={t('The bids could not be loaded.')} />
      <Row gap={16} rowGap={12} align="end">
        <Select
          label={t('Day')}
          w={160}
          data={(data?.days ?? []).map((one) => ({ value: one, label: formatDate(one) }))}
          value={data?.day ?? null}
          onChange={setDay}
        />
        <Row gap={8} below={8} ink="ink2">
          {data?.files.map(({ auction, name, sentAt }) => (
            <Button
              key={name}
              variant="subtle"
              h="auto"
              mih={32}
              classNames={{ label: classes.fileName ?? '' }}
              leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
              onClick={() => void download(auction)}
            >
              {t('{{name}}, sent {{at}}', { name, at: formatDateTime(Date.parse(sentAt)) })}
            </Button>
          ))}
        </Row>
      </Row>
      {(data || read.isPending) && (
        <DataTable
          label={t('Bids')}
          dense
          columns={columns}
          rows={data ? data.bids : []}
          rowKey={({ start, product, auction }) => `${start} ${product} ${auction}`}
          loading={read.isPending}
          pageSize={50}
          emptyReason={t('No bids were sent for this day.')}
        />
      )}
    </>
  )
}
