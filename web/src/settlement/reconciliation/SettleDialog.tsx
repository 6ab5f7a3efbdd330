import type { Cause } from '@gridmast/contract/choices.ts'
import { Textarea } from '@mantine/core'
import { type ReconciledLine, settleDifferences } from '@gridmast/contract/settlement/reconciliation.ts'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
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
export const SettleDialog = ({ id, settling, onClose }: Props) => (
  <FormDialog
    editing={settling}
    onClose={onClose}
    size={520}
    title={
      settling && settling.count > 1
        ? t('Settle {{count}} differences', { count: settling.count })
        : t('Settle a difference')
    }
  >
    {(of, { onUnsaved, onCancel, onDone }) => (
      <SettleForm id={id} of={of} onUnsaved={onUnsaved} onCancel={onCancel} onDone={onDone} />
    )}
  </FormDialog>
)

type FormProps = {
  id: string
  of: Settling
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
}

const SettleForm = ({ id, of: { line, cause, instanceId, count }, onUnsaved, onCancel, onDone }: FormProps) => {
  const { field, submit, sending, waitS } = useCallForm(settleDifferences, {
    initial: { note: '' },
    fields: ['note'],
    toBody: ({ note }) => ({
      note,
      count,
      ...(line ? { lineId: line._id } : { ...(cause ? { cause } : {}), ...(instanceId ? { instanceId } : {}) }),
    }),
    beside: () => ({ params: { id } }),
    onDone,
  })
  const note = field('note')
  return (
    <form noValidate onSubmit={submit}>
      {line && (
        <p className={classes.about}>
          {`${periodWords(line)} · ${line.instance} · ${line.type} · ${signed(line.differenceEur)} €`}
          {causesOf(line.parts).map((one) => ` · ${t(causeWords[one])} ${signed(line.parts?.[one] ?? null)}`)}
        </p>
      )}
      <Textarea
        label={t('Note')}
        description={t('Why it may stay as it is: what was agreed, with whom. It is kept with your name.')}
        required
        autosize
        minRows={3}
        data-autofocus
        {...note}
        onChange={(event) => {
          note.onChange(event)
          onUnsaved(event.currentTarget.value !== '')
        }}
      />
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Mark as settled')}
      </FormActions>
    </form>
  )
}
