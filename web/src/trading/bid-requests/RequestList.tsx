import { ActionIcon, Button } from '@mantine/core'
import type { BulkResult } from '@gridmast/contract/bulk.ts'
import {
  type BidRequest,
  findBidRequests,
  removeBidRequest,
  withdrawBidRequests,
} from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconEye, IconLock, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { requestFilters } from '#trading/market/search.ts'
import { offerOf, outcomeOf, statusTags, statusWords } from './bid-words.ts'

type Actions = {
  onView: (row: BidRequest) => void
  onEdit: (row: BidRequest) => void
  onRemove: (row: BidRequest) => void
}

/** A request that is placed or whose first day is closed cannot be changed. */
const isFrozen = ({ status, startDate }: BidRequest, firstOpenDay: string) =>
  status === 'placed' || (status === 'pending' && startDate < firstOpenDay)

const RowActions = ({ row, actions, mayEdit, firstOpenDay }: RowActionsProps) => {
  const of = { name: row.groupName, day: formatDate(row.startDate) }
  const isSent = isFrozen(row, firstOpenDay)
  const isEditable = mayEdit && row.status === 'pending' && !isSent
  return (
    <column.RowActions
      list={[
        { icon: IconEye, label: t('View {{name}} from {{day}}', of), onClick: () => actions.onView(row) },
        isEditable && {
          icon: IconPencil,
          label: t('Edit {{name}} from {{day}}', of),
          onClick: () => actions.onEdit(row),
        },
        isEditable && {
          icon: IconTrash,
          label: t('Delete {{name}} from {{day}}', of),
          onClick: () => actions.onRemove(row),
        },
      ]}
    >
      {isSent && (
        <ActionIcon
          data-tip={translateText(m.bidRequestPlaced)}
          aria-label={translateText(m.bidRequestPlaced)}
          component="span"
          role="img"
          tabIndex={0}
        >
          <IconLock size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </column.RowActions>
  )
}
type RowActionsProps = { row: BidRequest; actions: Actions; mayEdit: boolean; firstOpenDay: string }

const useColumns = (actions: Actions, mayEdit: boolean, firstOpenDay: string): Columns<BidRequest> => {
  return [
    column.date('start', t('Start Date'), ({ startDate }) => startDate, { card: 'plain' }),
    column.date('end', t('End Date'), ({ endDate }) => endDate, { card: 'plain' }),
    column.number('excluded', t('Excluded Count'), ({ excludedDays }) => excludedDays.length, { card: 'more' }),
    column.minute('created', t('Created At'), ({ createdAt }) => createdAt, { card: 'more' }),
    column.minute('updated', t('Updated At'), ({ updatedAt }) => updatedAt, { card: 'more' }),
    column.text('instance', t('Instance'), ({ groupName }) => groupName, { card: 'lead' }),
    column.cell('offer', t('Offer'), offerOf, { digits: true, wraps: true }),
    column.text('market', t('Market'), ({ biddingMarket }) => biddingMarket, { card: 'more' }),
    column.cell(
      'status',
      t('Status'),
      (row) => (
        <Row as="span" inline gap={8}>
          <Tag kind={statusTags[row.status]}>{t(statusWords[row.status])}</Tag>
          <span className="gm-num">{outcomeOf(row)}</span>
        </Row>
      ),
      { card: 'corner' },
    ),
    column.figure('action', t('Action'), (row) => <RowActions {...{ row, actions, mayEdit, firstOpenDay }} />, {
      card: 'actions',
    }),
  ]
}

type WithdrawProps = { rows: readonly BidRequest[]; onDone: (result: BulkResult) => void }

const Withdraw = ({ rows, onDone }: WithdrawProps) => {
  const [withdraw, dialog] = useConfirm({
    call: withdrawBidRequests,
    sent: () => ({ body: { ids: rows.map(({ _id }) => _id) } }),
    title: t('Delete the selected requests?'),
    text: t('No bids will be placed for them. The requests stay under Past.'),
    confirm: t('Delete'),
    danger: true,
    onDone,
  })
  return (
    <>
      <Button variant="default" size="xs" onClick={() => withdraw()}>
        {t('Delete requests')}
      </Button>
      {dialog}
    </>
  )
}

type Props = {
  market: string
  licence: string | undefined
  filterType: 'current' | 'past'
  firstOpenDay: string
  mayEdit: boolean
  filters: ReactNode
  tools: ReactNode
  /** Undefined where no request is possible, null while that is loading. */
  onCreate: (() => void) | null | undefined
  onView: (row: BidRequest) => void
  onEdit: (row: BidRequest) => void
}

export const RequestList = (props: Props) => {
  const { market, licence, filterType, firstOpenDay, mayEdit, filters, tools, onCreate } = props
  const panel = useRef<HTMLElement>(null)
  const [remove, removeDialog] = useConfirm({
    call: removeBidRequest,
    sent: ({ _id }: BidRequest) => ({ params: { id: _id } }),
    title: t('Delete this request?'),
    text: ({ groupName, startDate, endDate }) =>
      t('No bids will be placed for {{name}} from {{start}} to {{end}}. The request stays under Past.', {
        name: groupName,
        start: formatDate(startDate),
        end: formatDate(endDate),
      }),
    confirm: t('Delete'),
    danger: true,
    onDone: () => panel.current?.focus(),
  })
  const columns = useColumns({ onView: props.onView, onEdit: props.onEdit, onRemove: remove }, mayEdit, firstOpenDay)
  const list = useSavedList(
    findBidRequests,
    { query: { filterType, market, ...(licence ? { licenseId: licence } : {}) } },
    { rows: ({ bidRequests }) => bidRequests, views: { list: 'bid-requests', filters: requestFilters } },
  )
  const { data } = list.query
  return (
    <>
      <SavedList
        ref={panel}
        title={t('Bid requests')}
        note={t('Total Count {{n}}', { n: data?.totalCount ?? unknownText })}
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
        {...list}
        failed={t('The bid requests could not be loaded.')}
        columns={columns}
        onOpen={props.onView}
        bulk={
          mayEdit &&
          filterType === 'current' && {
            name: ({ groupName, startDate }) => `${groupName} ${formatDate(startDate)}`,
            can: (row) => row.status === 'pending' && !isFrozen(row, firstOpenDay),
            renderActs: (rows, onDone) => <Withdraw rows={rows} onDone={onDone} />,
          }
        }
        tight
        rowKey={({ _id }) => _id}
        emptyReason={
          filterType === 'current'
            ? t('A request lists what an instance offers in each slot. It is sent at the cut-off.')
            : t('Past and deleted requests are listed here.')
        }
      />
      {removeDialog}
    </>
  )
}
