import { ActionIcon, Button, Tooltip } from '@mantine/core'
import {
  type BidRequest,
  bidRequestColumns,
  findBidRequests,
  removeBidRequest,
} from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconEye, IconLock, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import type { Column } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { offerOf, outcomeOf, statusTags, statusWords } from './bid-words.ts'

type Acts = {
  onView: (row: BidRequest) => void
  onEdit: (row: BidRequest) => void
  onRemove: (row: BidRequest) => void
}

/** Sent, or its first day is closed: it is neither changed nor deleted. */
const isFrozen = ({ status, startDate }: BidRequest, firstOpenDay: string) =>
  status === 'placed' || (status === 'pending' && startDate < firstOpenDay)

const RowActions = ({ row, acts, mayEdit, firstOpenDay }: RowActionsProps) => {
  const of = { name: row.groupName, day: formatDate(row.startDate) }
  const isSent = isFrozen(row, firstOpenDay)
  return (
    <Row as="span" inline gap={4} nowrap>
      <ActionIcon aria-label={t('View {{name}} from {{day}}', of)} onClick={() => acts.onView(row)}>
        <IconEye size={16} stroke={1.8} />
      </ActionIcon>
      {mayEdit && row.status === 'pending' && !isSent && (
        <>
          <ActionIcon aria-label={t('Edit {{name}} from {{day}}', of)} onClick={() => acts.onEdit(row)}>
            <IconPencil size={16} stroke={1.8} />
          </ActionIcon>
          <ActionIcon aria-label={t('Delete {{name}} from {{day}}', of)} onClick={() => acts.onRemove(row)}>
            <IconTrash size={16} stroke={1.8} />
          </ActionIcon>
        </>
      )}
      {isSent && (
        <Tooltip label={translateText(m.bidRequestPlaced)} multiline maw={280}>
          <ActionIcon aria-label={translateText(m.bidRequestPlaced)} component="span" role="img" tabIndex={0}>
            <IconLock size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      )}
    </Row>
  )
}
type RowActionsProps = { row: BidRequest; acts: Acts; mayEdit: boolean; firstOpenDay: string }

const useColumns = (acts: Acts, mayEdit: boolean, firstOpenDay: string): Column<BidRequest>[] => {
  const instant = (text: string) => formatDateTime(Date.parse(text)).slice(0, 16)
  return [
    { key: 'start', title: t('Start Date'), digits: true, plain: true, cell: ({ startDate }) => formatDate(startDate) },
    { key: 'end', title: t('End Date'), digits: true, plain: true, cell: ({ endDate }) => formatDate(endDate) },
    {
      key: 'excluded',
      title: t('Excluded Count'),
      align: 'right',
      more: true,
      cell: ({ excludedDays }) => excludedDays.length,
    },
    { key: 'created', title: t('Created At'), digits: true, more: true, cell: ({ createdAt }) => instant(createdAt) },
    { key: 'updated', title: t('Updated At'), digits: true, more: true, cell: ({ updatedAt }) => instant(updatedAt) },
    { key: 'instance', title: t('Instance'), lead: true, cell: ({ groupName }) => groupName },
    { key: 'offer', title: t('Offer'), digits: true, cell: (row) => offerOf(row) },
    { key: 'market', title: t('Market'), more: true, cell: ({ biddingMarket }) => biddingMarket },
    {
      key: 'status',
      title: t('Status'),
      corner: true,
      cell: (row) => (
        <Row as="span" inline gap={8}>
          <Tag kind={statusTags[row.status]}>{t(statusWords[row.status])}</Tag>
          <span className="gm-num">{outcomeOf(row)}</span>
        </Row>
      ),
    },
    {
      key: 'action',
      title: t('Action'),
      align: 'right',
      acts: true,
      cell: (row) => <RowActions {...{ row, acts, mayEdit, firstOpenDay }} />,
    },
  ]
}

type Props = {
  market: string
  licence: string | undefined
  filterType: 'current' | 'past'
  firstOpenDay: string
  mayEdit: boolean
  page: number
  filters: ReactNode
  tools: ReactNode
  onPage: (page: number) => void
  /** Absent where nothing can be requested, null while that is being read. */
  onCreate: (() => void) | null | undefined
  onView: (row: BidRequest) => void
  onEdit: (row: BidRequest) => void
}

/** Requests of a market, the newest first. */
export const RequestList = (props: Props) => {
  const { market, licence, filterType, firstOpenDay, mayEdit, page, filters, tools, onPage, onCreate } = props
  const panel = useRef<HTMLElement>(null)
  const [remove, removeDialog] = useConfirm({
    call: removeBidRequest,
    sent: ({ _id }: BidRequest) => ({ params: { id: _id } }),
    title: t('Delete this request?'),
    text: ({ groupName, startDate, endDate }) =>
      t('Nothing is bid for {{name}} from {{start}} to {{end}} any more. It stays listed under Past.', {
        name: groupName,
        start: formatDate(startDate),
        end: formatDate(endDate),
      }),
    confirm: t('Delete'),
    danger: true,
    onDone: () => panel.current?.focus(),
  })
  const columns = useColumns({ onView: props.onView, onEdit: props.onEdit, onRemove: remove }, mayEdit, firstOpenDay)
  const wanted = { filterType, market, ...(licence ? { licenseId: licence } : {}) }
  const [sort, sorting] = useSorting(bidRequestColumns)
  const pageSize = usePageSize()
  const read = useCall(findBidRequests, {
    sent: { query: { ...wanted, ...sort, limit: pageSize, skip: (page - 1) * pageSize } },
    keepWhile: JSON.stringify(wanted),
  })
  return (
    <>
      <ListPanel
        ref={panel}
        label={t('Bid requests')}
        title={t('Bid requests')}
        note={read.data && t('Total Count {{n}}', { n: read.data.totalCount })}
        tools={
          <>
            {tools}
            {onCreate !== undefined && (
              <Button
                leftSection={<IconPlus stroke={1.8} aria-hidden />}
                disabled={onCreate === null}
                onClick={onCreate ?? (() => {})}
              >
                {t('Create Request')}
              </Button>
            )}
          </>
        }
        filters={filters}
        read={read}
        failed={t('The bid requests could not be loaded.')}
        columns={columns}
        tight
        rows={read.data?.bidRequests ?? []}
        pageSize={pageSize}
        rowKey={({ _id }) => _id}
        sorting={sorting}
        emptyReason={
          filterType === 'current'
            ? t('A request lists what an instance offers in each slot. It is sent at the cut-off.')
            : t('Requests whose days are over, and those that were deleted, are listed here.')
        }
        paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
      />
      {removeDialog}
    </>
  )
}
