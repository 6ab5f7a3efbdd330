import { Button } from '@mantine/core'
import { removeScopeReport, type ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'

type Props = { report: ScopeReport; onRemoved: () => void }

/** Deletes a report after a question: what it kept cannot be had again. */
export const RemoveReport = ({ report, onRemoved }: Props) => {
  const [isAsked, setAsked] = useState(false)
  const doing = useDo(removeScopeReport)
  const close = () => setAsked(false)
  return (
    <>
      <Button variant="default" size="xs" c="var(--gm-down)" onClick={() => setAsked(true)}>
        {t('Delete report')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t('Delete this report?')}
        confirm={t('Yes')}
        cancel={t('No')}
        danger
        sending={doing.isPending}
        onConfirm={() => doing.mutate({ params: { reportId: report._id } }, { onSuccess: onRemoved, onSettled: close })}
        onClose={close}
      >
        {t(
          'The report of {{period}}, made {{at}}, is gone with the emission factors it kept. A new one of the same days is made of today’s readings. The readings stay.',
          {
            period: `${formatDate(report.startDate)} – ${formatDate(report.endDate)}`,
            at: formatDateTime(Date.parse(report.madeAt)),
          },
        )}
      </ConfirmDialog>
    </>
  )
}
