import { chargingStatement } from '@gridmast/contract/charging/charging-costs.ts'
import type { ChargerTagGroup } from '@gridmast/contract/charging/ev-charging.ts'
import { addMonths, today } from '@gridmast/contract/time.ts'
import { useId, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { currentLanguage, t } from '#lib/i18n.ts'
import { MonthField } from '#ui/date/MonthField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { Segments } from '#ui/Segments.tsx'

type Props = { group: ChargerTagGroup | null; onClose: () => void }

/** A month of a tag group for those who pay for it. */
export const StatementDialog = ({ group, onClose }: Props) => (
  <Dialog opened={group !== null} onClose={onClose} size={480} title={t('Monthly statement')}>
    {group && <Choice group={group} onClose={onClose} />}
  </Dialog>
)

const formats = ['pdf', 'xlsx', 'csv'] as const

const Choice = ({ group, onClose }: { group: ChargerTagGroup; onClose: () => void }) => {
  const language = currentLanguage()
  const thisMonth = today(useNow(60_000)).slice(0, 7)
  const [month, setMonth] = useState(addMonths(thisMonth, -1))
  const [format, setFormat] = useState<(typeof formats)[number]>('pdf')
  const id = useId()
  return (
    <DownloadForm
      onClose={onClose}
      download={() =>
        downloadCall(
          chargingStatement,
          { query: { month, groupId: group._id, format, language } },
          `Charging ${month} ${group.name}.${format}`,
        )
      }
    >
      <p className="gm-meta">
        {t('Sessions of {{name}} that began in the month, with energy, cost and what drivers pay.', {
          name: group.name,
        })}
      </p>
      <MonthField label={t('Month')} value={month} max={thisMonth} onChange={setMonth} />
      <div role="group" aria-labelledby={id}>
        <div id={id} className="gm-meta">
          {t('File')}
        </div>
        <Segments
          label={t('File')}
          value={format}
          onChange={setFormat}
          data={formats.map((one) => ({ value: one, label: one.toUpperCase() }))}
        />
      </div>
    </DownloadForm>
  )
}
