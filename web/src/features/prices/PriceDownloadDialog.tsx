import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { powerCostDownload } from '@gridmast/contract/prices.ts'
import { addMonths, localMonthOf } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/user.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { MonthField } from '#ui/date/MonthField.tsx'

type Props = {
  signals: Customer['powerCost']
  priceSignal: string
  opened: boolean
  onClose: () => void
}

/** A month of day-ahead prices with tax, as an Excel file. */
export const PriceDownloadDialog = (props: Props) => {
  const { t } = useTranslation()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t('Download Price (Tax Included)')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {props.opened && <DownloadForm {...props} />}
    </Modal>
  )
}

const DownloadForm = ({ signals, priceSignal, onClose }: Props) => {
  const { t } = useTranslation()
  const thisMonth = localMonthOf(useNow(60_000))
  const [signal, setSignal] = useState(priceSignal)
  const [month, setMonth] = useState(thisMonth)
  const [busy, setBusy] = useState(false)
  const name = signals.find(({ _id }) => _id === signal)?.name ?? ''
  const download = async () => {
    setBusy(true)
    await downloadCall(
      powerCostDownload,
      { query: { priceSignal: signal, month, format: 'xlsx' } },
      `Day ahead, tax included ${name} ${month}.xlsx`,
    )
    setBusy(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void download()
      }}
    >
      <Stack gap={12}>
        <Select
          label={t('Price signal')}
          data={signals.map(({ _id, name: label }) => ({ value: _id, label }))}
          value={signal}
          allowDeselect={false}
          onChange={(next) => next && setSignal(next)}
        />
        <MonthField label={t('Month')} value={month} max={addMonths(thisMonth, 1)} onChange={setMonth} />
      </Stack>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
        <Button type="submit" loading={busy} leftSection={<IconDownload stroke={1.8} />}>
          {t('Download')}
        </Button>
      </Group>
    </form>
  )
}
