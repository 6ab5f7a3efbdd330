import { Button } from '@mantine/core'
import { removeScopeReport, type ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useConfirm } from '#ui/useConfirm.tsx'

type Props = { report: ScopeReport; onRemoved: () => void }

/** Deletes a report after a confirmation: its emission factors cannot be restored. */
export const RemoveReport = ({ report, onRemoved }: Props) => {
  const [remove, removeDialog] = useConfirm({
    call: removeScopeReport,
    sent: () => ({ params: { reportId: report._id } }),
    title: t('Delete this report?'),
    text: t(
      'The report of {{period}}, made {{at}}, is gone with the emission factors it kept. A new one of the same days is made of today’s readings. The readings stay.',
      {
        period: `${formatDate(report.startDate)} – ${formatDate(report.endDate)}`,
        at: formatDateTime(Date.parse(report.madeAt)),
      },
    ),
    confirm: t('Yes'),
    cancel: t('No'),
    danger: true,
    onDone: onRemoved,
  })
  return (
    <>
      <Button variant="default" size="xs" c="var(--gm-down)" onClick={() => remove()}>
        {t('Delete report')}
      </Button>
      {removeDialog}
    </>
  )
}
