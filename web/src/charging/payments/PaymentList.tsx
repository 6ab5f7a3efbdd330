import { useDraft, type UrlProps } from '#lib/url-state.ts'
import { paymentStates } from '@gridmast/contract/choices.ts'
import { Button } from '@mantine/core'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { findPayments, type Payment, reservePayment } from '@gridmast/contract/charging/payments.ts'
import { addDays, formatDateTime, type LocalDate, today } from '@gridmast/contract/time.ts'
import { IconPlus, IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { digits, simulatedWords } from '#lib/format.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import { useCan } from '#lib/user.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Row, TextButton } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Tag } from '#ui/Tag.tsx'
import { PaymentTag, stateWords } from './PaymentTag.tsx'
import { paymentFilters, type paymentsSearch } from './search.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { Select } from '#ui/Select.tsx'

const AccountDialog = lateDialog(
  async () => (await import('./AccountDialog.tsx')).AccountDialog,
  (props) => props.opened,
)

const PaymentDialog = lateDialog(
  async () => (await import('./PaymentDialog.tsx')).PaymentDialog,
  (props) => props.paymentId !== null,
)

const widePageSize = 15
const defaultDays = 30
const rereadMs = 10_000

const useColumns = (onOpen: (payment: Payment) => void): Columns<Payment> => [
  column.cell(
    'created',
    t('Created'),
    (one) => (
      <TextButton
        underlined
        aria-label={t('Open the payment of {{time}}', { time: formatDateTime(Date.parse(one.createdAt)) })}
        onClick={() => onOpen(one)}
      >
        {formatDateTime(Date.parse(one.createdAt))}
      </TextButton>
    ),
    { card: 'lead', digits: true },
  ),
  column.cell('state', t('State'), ({ state }) => <PaymentTag state={state} />, { card: 'corner' }),
  column.text('charger', t('Charger'), ({ chargerName }) => chargerName, { card: 'plain' }),
  column.number('connector', t('Connector'), ({ connectorId }) => connectorId),
  column.number('kwh', t('Energy (kWh)'), ({ kwh }) => kwh, { decimals: 3 }),
  column.figure('reserved', t('Reserved (DKK)'), ({ reserved }) => digits.dkk(reserved)),
  column.figure('captured', t('Paid (DKK)'), ({ captured }) => digits.dkk(captured)),
  column.figure('refunded', t('Refunded (DKK)'), ({ refunded }) =>
    Number(refunded) === 0 ? unknownText : digits.dkk(refunded),
  ),
]

type Props = UrlProps<typeof paymentsSearch> & { connectors: Connector[] }

export const PaymentList = ({ connectors, search, onSearch }: Props) => {
  const now = today(useNow(60_000))
  const [mayReserve, maySetUp] = [useCan('payment.reserve'), useCan('payment.account')]
  const [dialog, setDialog] = useState<'new' | 'account' | null>(null)
  const end = search.endDate ?? now
  const start = search.startDate ?? addDays(end, 1 - defaultDays)
  const { state, chargerId } = search
  const filter = { ...(state ? { state } : {}), ...(chargerId ? { chargerId } : {}), startDate: start, endDate: end }
  const list = useSavedList(
    findPayments,
    { query: filter },
    {
      rows: ({ payments }) => payments,
      pageSize: widePageSize,
      refetchIntervalMs: rereadMs,
      views: {
        list: 'payments',
        filters: paymentFilters,
        existing: { chargerId: connectors.map((one) => one.chargerId) },
      },
    },
  )
  const { query: read } = list
  const columns = useColumns(({ _id }) => onSearch({ payment: _id }))
  const isReady = read.data?.isReady ?? true
  const totals = read.data?.totals
  return (
    <>
      <Filters
        key={JSON.stringify(filter)}
        {...{ connectors, search, start, end, now, onSearch }}
        actions={
          <>
            <ExportButton {...list.file} />
            {maySetUp && (
              <Button
                variant="default"
                leftSection={<IconSettings size={16} stroke={1.8} aria-hidden />}
                onClick={() => setDialog('account')}
              >
                {t('Sales unit')}
              </Button>
            )}
            {mayReserve && read.data?.isReady && (
              <Button leftSection={<IconPlus size={16} stroke={1.8} aria-hidden />} onClick={() => setDialog('new')}>
                {t('New payment')}
              </Button>
            )}
          </>
        }
      />
      <Row gap={32} rowGap={12} align="stretch" role="group" aria-label={t('Totals of all matching payments')}>
        <Figure label={t('Reserved')} value={totals?.reserved} unit="DKK" />
        <Figure label={t('Paid')} value={totals?.captured} unit="DKK" />
        <Figure label={t('Refunded')} value={totals?.refunded} unit="DKK" />
        <Figure label={t('Paid less refunded')} value={totals?.net} unit="DKK" />
      </Row>
      <SavedList
        title={t('Payments')}
        note={read.data && t('Total Count {{n}}', { n: read.data.totalCount })}
        badge={read.data?.simulated && <Tag kind="outline">{simulatedWords(read.data.simulated)}</Tag>}
        {...list}
        failed={t('The payments could not be loaded.')}
        columns={columns}
        onOpen={({ _id }) => onSearch({ payment: _id })}
        rowKey={({ _id }) => _id}
        warnRow={(one) => one.state === 'capture-failed' || one.state === 'failed'}
        tight
        emptyReason={
          isReady
            ? t('No payments in this period match the filter.')
            : t('MobilePay is not set up yet: the sudoer enters the keys of your sales unit.')
        }
      />
      <PaymentDialog paymentId={search.payment ?? null} onClose={() => onSearch({ payment: undefined })} />
      <NewPaymentDialog
        connectors={dialog === 'new' ? connectors : null}
        onClose={() => setDialog(null)}
        onCreated={(payment) => {
          setDialog(null)
          onSearch({ payment })
        }}
      />
      <AccountDialog opened={dialog === 'account'} onClose={() => setDialog(null)} />
    </>
  )
}

const all = 'all'

type FilterProps = Props & { start: LocalDate; end: LocalDate; now: LocalDate; actions: React.ReactNode }

const Filters = ({ connectors, search, start, end, now, onSearch, actions }: FilterProps) => {
  const { draft, change } = useDraft({ state: search.state, chargerId: search.chargerId, start, end })
  return (
    <FilterRow
      label={t('Filter of payments')}
      actions={actions}
      chosen={[search.state, search.chargerId, search.startDate ?? search.endDate].filter(Boolean).length}
      onSubmit={() => {
        const isDefault = draft.end === now && draft.start === addDays(now, 1 - defaultDays)
        onSearch({
          state: draft.state,
          chargerId: draft.chargerId,
          page: undefined,
          startDate: isDefault ? undefined : draft.start,
          endDate: isDefault || draft.end === now ? undefined : draft.end,
        })
      }}
    >
      <Select
        label={t('State')}
        w={180}
        allowDeselect={false}
        data={[
          { value: all, label: t('All') },
          ...paymentStates.map((value) => ({ value, label: t(stateWords[value].word) })),
        ]}
        value={draft.state ?? all}
        onChange={(next) => change({ state: paymentStates.find((one) => one === next) })}
      />
      <Select
        label={t('Charger')}
        w={160}
        allowDeselect={false}
        searchable
        data={[
          { value: all, label: t('All') },
          ...connectors.map((one) => ({ value: one.chargerId, label: one.name })),
        ]}
        value={draft.chargerId ?? all}
        onChange={(next) => change({ chargerId: next === null || next === all ? undefined : next })}
      />
      <div data-day>
        <RangeField
          label={t('Start and end date')}
          value={{ start: draft.start, end: draft.end }}
          max={now}
          onChange={(days) => change({ ...days })}
        />
      </div>
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}

/** A connector that can be paid for. */
export type Connector = { chargerId: string; name: string; connectors: number[]; isOnline: boolean }

type NewProps = { connectors: Connector[] | null; onClose: () => void; onCreated: (paymentId: string) => void }

/** Requests money from a driver before the charger starts. */
const NewPaymentDialog = ({ connectors, onClose, onCreated }: NewProps) => (
  <CallFormDialog
    title={t('New payment')}
    submit={t('Request payment')}
    call={reservePayment}
    initial={connectors && { chargerId: '', connectorId: '1' }}
    toBody={({ chargerId, connectorId }) => ({ chargerId, connectorId: Number(connectorId) })}
    onDone={({ payment }) => onCreated(payment._id)}
    onClose={onClose}
  >
    {({ field, values }) => (
      <>
        <Select
          label={t('Charger')}
          description={t('The driver pays the session cost; the rest of the reservation is released.')}
          searchable
          allowDeselect={false}
          data-autofocus
          data={(connectors ?? []).map(({ chargerId, name, isOnline }) => ({
            value: chargerId,
            label: name,
            disabled: !isOnline,
          }))}
          {...field('chargerId')}
        />
        <Select
          label={t('Connector')}
          allowDeselect={false}
          data={(connectors?.find(({ chargerId }) => chargerId === values.chargerId)?.connectors ?? [1]).map(String)}
          {...field('connectorId')}
        />
      </>
    )}
  </CallFormDialog>
)
