import { controlSheet } from '@gridmast/contract/delivery/events.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, daysBetween, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { Note } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'
import type { EventGroup } from './GroupList.tsx'

type Props = {
  /** Undefined for instances of several markets. */
  market: string | undefined
  instances: readonly EventGroup[]
  chosen: string | undefined
  opened: boolean
  onClose: () => void
}

/** File for a check by the operator: each second of a period, with the scoring method. */
export const ControlSheet = ({ opened, ...props }: Props) => (
  <Dialog opened={opened} onClose={props.onClose} title={t('Control sheet')}>
    {opened && <Form {...props} />}
  </Dialog>
)

const Form = ({ market: onlyMarket, instances, chosen, onClose }: Omit<Props, 'opened'>) => {
  const now = today(useNow(60_000))
  const [instanceId, setInstanceId] = useState(chosen ?? instances[0]?._id ?? '')
  const [days, setDays] = useState({ start: addDays(now, -1), end: addDays(now, -1) })
  const tooLong = daysBetween(days.start, days.end) >= limits.controlSheetDays
  const [chosenMarket, setChosenMarket] = useState(onlyMarket)
  const instance = instances.find(({ _id }) => _id === instanceId)
  const choices = onlyMarket === undefined ? (instance?.market ?? []) : [onlyMarket]
  const market = choices.find((one) => one === chosenMarket) ?? choices[0] ?? ''
  const download = () =>
    downloadCall(controlSheet, {
      query: { market, instanceId, startDate: days.start, endDate: days.end, format: 'xlsx' },
    })
  return (
    <DownloadForm
      refusal={tooLong ? translateText(m.exportTooLong(limits.controlSheetDays)) : null}
      download={download}
      onClose={onClose}
    >
      <Note ink="ink2">
        {t(
          '{{market}} second by second as an Excel file: activation signal, measured, required and delivered power, and the scoring method. At most {{days}} days.',
          { market, days: limits.controlSheetDays },
        )}
      </Note>
      <Select
        label={t('Instance')}
        data={instances.map((one) => ({ value: one._id, label: one.name }))}
        value={instanceId}
        allowDeselect={false}
        onChange={(next) => next && setInstanceId(next)}
      />
      {choices.length > 1 && (
        <Select
          label={t('Market')}
          data={choices}
          value={market}
          allowDeselect={false}
          onChange={(next) => next && setChosenMarket(next)}
        />
      )}
      <RangeField label={t('Start and end date')} value={days} max={now} onChange={setDays} />
    </DownloadForm>
  )
}
