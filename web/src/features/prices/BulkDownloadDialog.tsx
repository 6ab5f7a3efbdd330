import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { bulkDownload } from '@gridmast/contract/prices.ts'
import { addDays, daysBetween, today } from '@gridmast/contract/time.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { say, useTranslation } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { RangeField } from '#ui/date/RangeField.tsx'
import type { MarketSignal } from './PricingCard.tsx'

type Props = { signals: readonly MarketSignal[]; signal: string; opened: boolean; onClose: () => void }

/** All published prices of a range of days, as an Excel file. */
export const BulkDownloadDialog = (props: Props) => {
  const { t } = useTranslation()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t('Bulk Download Excel file')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {props.opened && <BulkForm {...props} />}
    </Modal>
  )
}

const BulkForm = ({ signals, signal: first, onClose }: Props) => {
  const { t } = useTranslation()
  const now = today(useNow(60_000))
  const [signal, setSignal] = useState(first)
  const [range, setRange] = useState({ start: addDays(now, -29), end: now })
  const [busy, setBusy] = useState(false)
  const tooLong = daysBetween(range.start, range.end) >= limits.exportDays
  const download = async () => {
    setBusy(true)
    await downloadCall(
      bulkDownload,
      { query: { signal, startDate: range.start, endDate: range.end, format: 'xlsx' } },
      `${signal.replace(':', ' ')} ${range.start} ${range.end}.xlsx`,
    )
    setBusy(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!tooLong) void download()
      }}
    >
      <Stack gap={12}>
        <Select
          label={t('Signal')}
          data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={signal}
          allowDeselect={false}
          onChange={(next) => next && setSignal(next)}
        />
        <RangeField label={t('Date')} value={range} max={addDays(now, 2)} onChange={setRange} />
        {tooLong && (
          <p role="alert" style={{ margin: 0, color: 'var(--gm-down)', fontSize: 12 }}>
            {say(m.exportTooLong(limits.exportDays))}
          </p>
        )}
      </Stack>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
        <Button type="submit" loading={busy} disabled={tooLong} leftSection={<IconDownload stroke={1.8} />}>
          {t('Download')}
        </Button>
      </Group>
    </form>
  )
}
