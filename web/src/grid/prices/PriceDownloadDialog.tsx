import { Select } from '@mantine/core'
import { powerCostDownload } from '@gridmast/contract/grid/prices.ts'
import { addMonths, localMonthOf } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { MonthField } from '#ui/date/MonthField.tsx'

type Props = {
  signals: Customer['powerCost']
  priceSignal: string
  opened: boolean
  onClose: () => void
}

/** A month of day-ahead prices with tax, as an Excel file. */
export const PriceDownloadDialog = (props: Props) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={t('Download Price (Tax Included)')}>
    {props.opened && <PriceForm {...props} />}
  </Dialog>
)

const PriceForm = ({ signals, priceSignal, onClose }: Props) => {
  const thisMonth = localMonthOf(useNow(60_000))
  const [signal, setSignal] = useState(priceSignal)
  const [month, setMonth] = useState(thisMonth)
  const name = signals.find(({ _id }) => _id === signal)?.name ?? ''
  const download = () =>
    downloadCall(
      powerCostDownload,
      { query: { priceSignal: signal, month, format: 'xlsx' } },
      `Day ahead, tax included ${name} ${month}.xlsx`,
    )
  return (
    <DownloadForm download={download} onClose={onClose}>
      <Select
        label={t('Price signal')}
        data={signals.map(({ _id, name: label }) => ({ value: _id, label }))}
        value={signal}
        allowDeselect={false}
        onChange={(next) => next && setSignal(next)}
      />
      <MonthField label={t('Month')} value={month} max={addMonths(thisMonth, 1)} onChange={setMonth} />
    </DownloadForm>
  )
}
