import { TextInput } from '@mantine/core'
import { addDecimals, formatNumber } from '@gridmast/contract/numbers.ts'
import { type Payment, refundPayment } from '@gridmast/contract/charging/payments.ts'
import { useEffect, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Stack } from '#ui/Layout.tsx'

type Props = { payment: Payment | null; onClose: () => void }

/** Pays back part or all of what was taken; asks before it does. */
export const RefundDialog = ({ payment, onClose }: Props) => (
  <FormDialog editing={payment} title={t('Refund')} onClose={onClose}>
    {(one, tools) => <RefundForm payment={one} {...tools} />}
  </FormDialog>
)

type FormProps = {
  payment: Payment
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
}

const RefundForm = ({ payment, onUnsaved, onCancel, onDone }: FormProps) => {
  const [asking, setAsking] = useState(false)
  const left = addDecimals(payment.captured ?? '0', `-${payment.refunded}`)
  const { form, field, submit, sending, waitS } = useCallForm(refundPayment, {
    initial: { amount: left, note: '' },
    fields: ['amount', 'note'],
    beside: () => ({ params: { id: payment._id } }),
    onDone,
    onRefused: () => setAsking(false),
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved && !asking), [unsaved, asking, onUnsaved])
  return (
    <form
      noValidate
      aria-label={t('Refund')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.validate().hasErrors) setAsking(true)
      }}
    >
      <Stack gap={16}>
        <DecimalField
          label={t('Amount')}
          description={t('At most {{amount}} DKK is left of the payment.', {
            amount: formatNumber(left, { decimals: 2 }),
          })}
          unit="DKK"
          decimals={2}
          initial={left}
          data-autofocus
          {...field('amount')}
          onChange={(decimal) => form.setFieldValue('amount', decimal ?? '')}
        />
        <TextInput label={t('Note')} autoComplete="off" {...field('note')} withAsterisk={false} />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Refund')}
      </FormActions>
      <ConfirmDialog
        opened={asking}
        title={t('Refund {{amount}} DKK?', { amount: formatNumber(form.values.amount, { decimals: 2 }) })}
        confirm={t('Refund')}
        danger
        sending={sending}
        onConfirm={() => submit()}
        onClose={() => setAsking(false)}
      >
        {t('The driver gets the money back through MobilePay. It cannot be taken again.')}
      </ConfirmDialog>
    </form>
  )
}
