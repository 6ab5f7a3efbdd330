import { Button } from '@mantine/core'
import { exportBidRequests } from '@gridmast/contract/trading/bid-files.ts'
import {
  type BidRequest,
  type BidWarning,
  findBidRequests,
  getBidRequest,
} from '@gridmast/contract/trading/bid-requests.ts'
import { findMarketLicences } from '@gridmast/contract/people/licences.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { IconFileCheck, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { downloadCall } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { queryOf, useCall } from '#lib/query.ts'
import { showToast } from '#lib/toast.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { StaleBanner, LoadError } from '#ui/Loaded.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { Row, Stack } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Select } from '#ui/Select.tsx'
import { warningOf } from './bid-words.ts'
import { CutOff, useGates } from './CutOff.tsx'
import type { marketSearch } from '#trading/market/search.ts'
import { RequestForm } from './RequestForm.tsx'
import { RequestList } from './RequestList.tsx'
import { ViewRequest } from './ViewRequest.tsx'

const ImportDialog = lateDialog(
  async () => (await import('./ImportDialog.tsx')).ImportDialog,
  ({ opened }) => opened,
)
const ResultFileDialog = lateDialog(
  async () => (await import('./ResultFileDialog.tsx')).ResultFileDialog,
  ({ opened }) => opened,
)

type Props = UrlProps<typeof marketSearch> & { market: string; customer: Customer }

type Editing = { row: BidRequest | null }

export const RequestBidTab = ({ market, customer, search, onSearch }: Props) => {
  const queries = useQueryClient()
  const mayEdit = useCan('bid-request.edit')
  const gates = useGates(market)
  const licences = useCall(findMarketLicences, { sent: { query: { market } } })
  const [viewed, setViewed] = useState<BidRequest | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [results, setResults] = useState(false)
  const [importing, setImporting] = useState(false)
  const [warnings, setWarnings] = useState<BidWarning[]>([])
  const filterType = search.filter === 'past' ? 'past' : 'current'
  const choices = licences.data?.licenses ?? []
  const licence = choices.find(({ _id }) => _id === search.license)?._id
  const instances = customer.instances.filter(
    (one) => one.market.includes(market) && (licence === undefined || one.licenseId === licence),
  )
  const firstOpenDay = gates.data?.firstOpenDay ?? ''
  const open = (row: BidRequest | null) => {
    setWarnings([])
    setEditing({ row })
  }
  const reload = async ({ _id }: BidRequest) => {
    void queries.invalidateQueries({ queryKey: [findBidRequests.path] })
    await queries.fetchQuery({ ...queryOf(getBidRequest, { params: { id: _id } }), staleTime: 0 }).then(
      (row) => setEditing({ row }),
      (error: ApiError) => showToast({ kind: 'error', message: error.message }),
    )
  }
  const download = (format: FileFormat) => {
    const query = { filterType, market, ...(licence ? { licenseId: licence } : {}), format } as const
    return downloadCall(exportBidRequests, { query })
  }
  const linked = useCall(getBidRequest, {
    sent: { params: { id: search.request ?? '' } },
    enabled: search.request !== undefined && search.request !== 'new',
  })
  const createWhenOpen = gates.isPending ? null : gates.data?.slots ? () => open(null) : undefined
  const asksForNew = search.request === 'new' && mayEdit && instances.length > 0 && createWhenOpen
  const form: Editing | null = editing ?? (asksForNew ? { row: null } : null)
  const close = () => {
    setViewed(null)
    setEditing(null)
    if (search.request) onSearch({ request: undefined })
  }
  return (
    <Stack gap={16}>
      <LoadError query={linked} title={t('The bid request could not be loaded.')} />
      <LoadError query={gates} title={t('The cut-offs could not be loaded.')} />
      {warnings.length > 0 && (
        <StaleBanner title={t('The request is saved.')}>
          {warnings.map((warning) => warningOf(market, warning)).join(' · ')}
        </StaleBanner>
      )}
      <RequestList
        key={`${licence ?? ''} ${filterType}`}
        market={market}
        licence={licence}
        filterType={filterType}
        firstOpenDay={firstOpenDay}
        mayEdit={mayEdit}
        onCreate={mayEdit && instances.length > 0 ? createWhenOpen : undefined}
        onView={setViewed}
        onEdit={open}
        tools={
          <>
            <Button
              variant="subtle"
              leftSection={<IconFileCheck stroke={1.8} aria-hidden />}
              onClick={() => setResults(true)}
            >
              {t('Result files')}
            </Button>
            <ExportButton onExport={download} />
            {mayEdit && (
              <Button
                variant="default"
                leftSection={<IconUpload stroke={1.8} aria-hidden />}
                onClick={() => setImporting(true)}
              >
                {t('Import')}
              </Button>
            )}
          </>
        }
        filters={
          <Row gap={16} rowGap={12} align="end">
            <Select
              label={t('License')}
              w={220}
              data={[
                { value: '', label: t('All licenses') },
                ...choices.map(({ _id, name }) => ({ value: _id, label: name })),
              ]}
              value={licence ?? ''}
              onChange={(next) => onSearch({ license: next || undefined, page: undefined })}
            />
            <Segments
              label={t('Days')}
              value={filterType}
              onChange={(next) => onSearch({ filter: next === 'past' ? next : undefined, page: undefined })}
              data={[
                { value: 'current', label: t('Current') },
                { value: 'past', label: t('Past') },
              ]}
            />
            {!gates.error && <CutOff gates={gates.data?.gates ?? []} />}
          </Row>
        }
      />
      <ImportDialog market={market} opened={importing} onClose={() => setImporting(false)} />
      <ResultFileDialog opened={results} onClose={() => setResults(false)} />
      <ViewRequest row={viewed ?? (linked.isEnabled ? (linked.data ?? null) : null)} onClose={close} />
      <Dialog
        opened={form !== null}
        size={984}
        large
        onClose={close}
        title={
          <Row as="span" inline gap={8}>
            {form?.row ? t('Edit Request') : t('Create Request')} <Tag kind="brand">{market}</Tag>
          </Row>
        }
      >
        {form && (
          <RequestForm
            key={form.row?.updatedAt}
            {...{ market, instances, firstOpenDay, row: form.row }}
            instanceId={search.instance}
            onSaved={(saved) => {
              close()
              setWarnings(saved)
            }}
            onReload={() => void (form.row && reload(form.row))}
            onCancel={close}
          />
        )}
      </Dialog>
    </Stack>
  )
}
