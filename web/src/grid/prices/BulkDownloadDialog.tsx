import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type PriceSignal, type PriceType, priceTypes } from '@gridmast/contract/grid/price-signals.ts'
import { bulkDownload } from '@gridmast/contract/grid/prices.ts'
import { addDays, daysBetween, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { Select } from '#ui/Select.tsx'
import type { Sentence } from '#i18n/da.ts'

type Props = {
  signals: readonly PriceSignal[]
  signal: string
  priceType: PriceType
  opened: boolean
  onClose: () => void
}

export const typeWords: Record<PriceType, Sentence> = { Total: 'Total', 'D-1': 'D-1', 'D-2': 'D-2' }

/** All published prices of a range of days, as an Excel file. */
export const BulkDownloadDialog = (props: Props) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={t('Bulk Download Excel file')}>
    {props.opened && <BulkForm {...props} />}
  </Dialog>
)

const BulkForm = ({ signals, signal: first, priceType: firstType, onClose }: Props) => {
  const now = today(useNow(60_000))
  const [signal, setSignal] = useState(first)
  const [chosenType, setChosenType] = useState(firstType)
  const types = signals.find(({ _id }) => _id === signal)?.priceTypes ?? []
  const priceType = types.includes(chosenType) ? chosenType : priceTypes[0]
  const [range, setRange] = useState({ start: addDays(now, -29), end: now })
  const tooLong = daysBetween(range.start, range.end) >= limits.exportDays
  const download = () =>
    downloadCall(bulkDownload, {
      query: { signal, startDate: range.start, endDate: range.end, priceType, format: 'xlsx' },
    })
  return (
    <DownloadForm
      refusal={tooLong ? translateText(m.exportTooLong(limits.exportDays)) : null}
      download={download}
      onClose={onClose}
    >
      <Select
        label={t('Signal')}
        data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={signal}
        allowDeselect={false}
        onChange={(next) => next && setSignal(next)}
      />
      {types.length > 1 && (
        <Select
          label={t('Type')}
          data={types.map((type) => ({ value: type, label: t(typeWords[type]) }))}
          value={priceType}
          allowDeselect={false}
          onChange={(next) => next && setChosenType(next)}
        />
      )}
      <RangeField label={t('Date')} value={range} max={addDays(now, 2)} onChange={setRange} />
    </DownloadForm>
  )
}
