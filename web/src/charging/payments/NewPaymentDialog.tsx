import { Select } from '@mantine/core'
import { reservePayment } from '@gridmast/contract/charging/payments.ts'
import { useEffect } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Stack } from '#ui/Layout.tsx'
import type { Outlet } from './PaymentList.tsx'

type Props = { outlets: Outlet[] | null; onClose: () => void; onMade: (paymentId: string) => void }

/** Asks a driver for money before the charger starts. */
export const NewPaymentDialog = ({ outlets, onClose, onMade }: Props) => (
  <FormDialog editing={outlets} title={t('New payment')} onClose={onClose}>
    {(own, tools) => <NewPaymentForm outlets={own} onMade={onMade} {...tools} />}
  </FormDialog>
)

type FormProps = {
  outlets: Outlet[]
  onMade: (paymentId: string) => void
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
}

const NewPaymentForm = ({ outlets, onMade, onUnsaved, onCancel }: FormProps) => {
  const { form, field, submit, sending, waitS } = useCallForm(reservePayment, {
    initial: { chargerId: '', connectorId: '1' },
    fields: ['chargerId', 'connectorId'],
    toBody: ({ chargerId, connectorId }) => ({ chargerId, connectorId: Number(connectorId) }),
    onDone: ({ payment }) => onMade(payment._id),
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved && !sending), [unsaved, sending, onUnsaved])
  const chosen = outlets.find(({ chargerId }) => chargerId === form.values.chargerId)
  return (
    <form noValidate aria-label={t('New payment')} onSubmit={submit}>
      <Stack gap={16}>
        <Select
          label={t('Charger')}
          description={t('The driver pays what the session costs; the rest of what is reserved is released.')}
          searchable
          allowDeselect={false}
          data-autofocus
          data={outlets.map(({ chargerId, name, isOnline }) => ({
            value: chargerId,
            label: name,
            disabled: !isOnline,
          }))}
          {...field('chargerId')}
        />
        <Select
          label={t('Connector')}
          allowDeselect={false}
          data={(chosen?.connectors ?? [1]).map(String)}
          {...field('connectorId')}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Ask for payment')}
      </FormActions>
    </form>
  )
}
