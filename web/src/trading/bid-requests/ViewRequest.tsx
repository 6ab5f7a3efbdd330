import { Tabs } from '@mantine/core'
import { exportBidRequests } from '@gridmast/contract/trading/bid-files.ts'
import type { BidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { downloadCall } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Grid, Row, SubSection, Text } from '#ui/Layout.tsx'
import { SmallTable } from '#ui/SmallTable.tsx'
import { PlainText } from '#ui/TextCards.tsx'
import { Tag } from '#ui/Tag.tsx'
import { BidOutcomes } from './BidOutcomes.tsx'
import classes from './bid-requests.module.css'
import { outcomeOf, statusTags, statusWords, unitWords } from './bid-words.ts'
import { StandingBid } from './ContractBid.tsx'
import { kindsOf, ordinarySlots, textsOf } from './slot-values.ts'

/** Bid tables show their slots in groups of 8 (specification text 1, section 9). */
const groupSize = 8

const SlotTables = ({ row }: { row: BidRequest }) => {
  const { biddingMarket: market } = row
  const slots = ordinarySlots(market)
  const kinds = kindsOf(market)
  const texts = textsOf(market, row)
  const columns: Columns<(typeof slots)[number]> = [
    column.cell('time', t('Time'), ({ label }) => <Text ink="ink3">{label}</Text>),
    ...kinds.map((kind) =>
      column.figure(kind, unitWords[kind], ({ index }: (typeof slots)[number]) => (
        <Text {...(row.capacity[index] === 0 ? { ink: 'ink3' } : {})}>{texts[kind][index]}</Text>
      )),
    ),
  ]
  const groups = Array.from({ length: Math.ceil(slots.length / groupSize) }, (_, i) =>
    slots.slice(i * groupSize, (i + 1) * groupSize),
  )
  return (
    <Grid fit={220} gap={16} className={classes.slotTables}>
      {groups.map((group) => (
        <SmallTable
          key={group[0]?.index}
          label={`${group[0]?.label ?? ''} … ${group.at(-1)?.label ?? ''}`}
          columns={columns}
          rows={group}
          rowKey={({ index }) => index}
        />
      ))}
    </Grid>
  )
}

export const ViewRequest = ({ row, onClose }: { row: BidRequest | null; onClose: () => void }) => (
  <Dialog
    opened={row !== null}
    onClose={onClose}
    large
    size={880}
    title={
      row && (
        <Row as="span" inline gap={8}>
          {row.groupName} <Tag kind="brand">{row.biddingMarket}</Tag>
        </Row>
      )
    }
  >
    {row && <Contents row={row} />}
  </Dialog>
)

const Contents = ({ row }: { row: BidRequest }) => {
  const download = (format: FileFormat) => downloadCall(exportBidRequests, { query: { requestId: row._id, format } })
  return (
    <>
      <Row gap={8} below={8} ink="ink2">
        <span className="gm-num">
          {formatDate(row.startDate)} – {formatDate(row.endDate)}
        </span>
        <Tag kind={statusTags[row.status]}>{t(statusWords[row.status])}</Tag>
        {outcomeOf(row)}
        <Text end>
          <ExportButton onExport={download} />
        </Text>
      </Row>
      {row.status === 'placed' && (
        <Row gap={8} below={8} ink="ink2">
          {translateText(m.bidRequestPlaced)}
        </Row>
      )}
      <Tabs defaultValue="slots" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="slots">{t('Capacity/Price')}</Tabs.Tab>
          <Tabs.Tab value="excluded">
            {t('Excluded Days')} {row.excludedDays.length}
          </Tabs.Tab>
          {row.bids.sent > 0 && <Tabs.Tab value="bids">{t('Bids')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="bids" pt={12}>
          <BidOutcomes row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="slots" pt={12}>
          {row.customBidding ? <SlotTables row={row} /> : <StandingBid row={row} />}
          <SubSection title={t('Note')} above={16}>
            <PlainText>{row.note}</PlainText>
          </SubSection>
        </Tabs.Panel>
        <Tabs.Panel value="excluded" pt={12}>
          <DataTable<BidRequest['excludedDays'][number]>
            label={t('Excluded Days')}
            numbered
            columns={[
              column.date('date', t('Date'), ({ date }) => date, { card: 'lead' }),
              column.text('reason', t('Reason'), ({ reason }) => reason),
            ]}
            rows={row.excludedDays}
            rowKey={({ date }) => date}
            emptyReason={t('Bids are placed for every day of the request.')}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
