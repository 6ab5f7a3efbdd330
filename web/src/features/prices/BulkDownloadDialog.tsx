import { Select } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { bulkDownload } from '@gridmast/contract/prices.ts'
import { addDays, daysBetween, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { say, useTranslation } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { downloadCall, type Watching } from '#lib/download.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import type { MarketSignal } from './PricingCard.tsx'

type Props = { signals: readonly MarketSignal[]; signal: string; opened: boolean; onClose: () => void }

/** All published prices of a range of days, as an Excel file. */
export const BulkDownloadDialog = (props: Props) => {
  const { t } = useTranslation()
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t('Bulk Download Excel file')}>
      {props.opened && <BulkForm {...props} />}
    </Dialog>
  )
}

const BulkForm = ({ signals, signal: first, onClose }: Props) => {
  const { t } = useTranslation()
  const now = today(useNow(60_000))
  const [signal, setSignal] = useState(first)
  const [range, setRange] = useState({ start: addDays(now, -29), end: now })
  const tooLong = daysBetween(range.start, range.end) >= limits.exportDays
  const download = (watching: Watching) =>
    downloadCall(
      bulkDownload,
      { query: { signal, startDate: range.start, endDate: range.end, format: 'xlsx' } },
      `${signal.replace(':', ' ')} ${range.start} ${range.end}.xlsx`,
      watching,
    )
  return (
    <DownloadForm
      refusal={tooLong ? say(m.exportTooLong(limits.exportDays)) : null}
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
      <RangeField label={t('Date')} value={range} max={addDays(now, 2)} onChange={setRange} />
    </DownloadForm>
  )
}
