import { TextInput } from '@mantine/core'
import { addDecimals, formatNumber } from '@gridmast/contract/numbers.ts'
import { type Payment, refundPayment } from '@gridmast/contract/charging/payments.ts'
import { useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FormActions } from '#ui/FormParts.tsx'
import { Stack } from '#ui/Layout.tsx'

type Props = { payment: Payment | null; onClose: () => void }

/** Pays back part or all of a payment, after a confirmation. */
export const RefundDialog = ({ payment, onClose }: Props) => (
  <Dialog opened={payment !== null} onClose={onClose} size={560} title={t('Refund')}>
    {payment && <RefundForm payment={payment} onClose={onClose} />}
  </Dialog>
)

const RefundForm = ({ payment, onClose }: { payment: Payment; onClose: () => void }) => {
  const [confirming, setConfirming] = useState(false)
  const rest = addDecimals(payment.captured ?? '0', `-${payment.refunded}`)
  const { form, values, field, decimal, formProps, sending, waitS } = useCallForm(refundPayment, {
    initial: { amount: rest, note: '' },
    request: { params: { id: payment._id } },
    onDone: onClose,
    onRefused: () => setConfirming(false),
  })
  return (
    <form
      aria-label={t('Refund')}
      {...formProps}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.validate().hasErrors) setConfirming(true)
      }}
    >
      <Stack gap={16}>
        <DecimalField
          label={t('Amount')}
          description={t('At most {{amount}} DKK is left of the payment.', {
            amount: formatNumber(rest, { decimals: 2 }),
          })}
          unit="DKK"
          decimals={2}
          data-autofocus
          {...decimal('amount')}
        />
        <TextInput label={t('Note')} autoComplete="off" {...field('note')} />
      </Stack>
      <FormActions onCancel={onClose} sending={sending} waitS={waitS}>
        {t('Refund')}
      </FormActions>
      <ConfirmDialog
        opened={confirming}
        title={t('Refund {{amount}} DKK?', { amount: formatNumber(values.amount, { decimals: 2 }) })}
        confirm={t('Refund')}
        danger
        sending={sending}
        onConfirm={() => formProps.onSubmit()}
        onClose={() => setConfirming(false)}
      >
        {t('The driver gets the money back through MobilePay. It cannot be taken again.')}
      </ConfirmDialog>
    </form>
  )
}
