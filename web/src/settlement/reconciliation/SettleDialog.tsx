import type { Cause } from '@gridmast/contract/choices.ts'
import { Textarea } from '@mantine/core'
import { type ReconciledLine, settleDifferences } from '@gridmast/contract/settlement/reconciliation.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { causesOf, causeWords, periodWords, signed } from './reconciliation-words.ts'
import classes from './reconciliation.module.css'

/** One line, or all that are unsettled of a cause or an instance. */
export type Settling = {
  line: ReconciledLine | null
  cause?: Cause | undefined
  instanceId?: string | undefined
  count: number
}

type Props = { id: string; settling: Settling | null; onClose: () => void }

/** Marks a difference as settled, with the reason why it may stay. */
export const SettleDialog = ({ id, settling, onClose }: Props) => {
  const { line = null, cause, instanceId, count = 0 } = settling ?? {}
  return (
    <CallFormDialog
      title={count > 1 ? t('Settle {{count}} differences', { count }) : t('Settle a difference')}
      submit={t('Mark as settled')}
      size={520}
      gap={0}
      call={settleDifferences}
      initial={settling && { note: '' }}
      toBody={({ note }) => ({
        note,
        count,
        ...(line ? { lineId: line._id } : { ...(cause ? { cause } : {}), ...(instanceId ? { instanceId } : {}) }),
      })}
      request={{ params: { id } }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {line && (
            <p className={classes.about}>
              {`${periodWords(line)} · ${line.instance} · ${line.type} · ${signed(line.differenceEur)} €`}
              {causesOf(line.parts).map((one) => ` · ${t(causeWords[one])} ${signed(line.parts?.[one] ?? null)}`)}
            </p>
          )}
          <Textarea
            label={t('Note')}
            description={t('Why the difference is accepted, and with whom it was agreed. Saved with your name.')}
            autosize
            minRows={3}
            data-autofocus
            {...field('note')}
          />
        </>
      )}
    </CallFormDialog>
  )
}
