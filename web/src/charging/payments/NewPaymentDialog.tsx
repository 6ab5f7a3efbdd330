import { Select } from '@mantine/core'
import { reservePayment } from '@gridmast/contract/charging/payments.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'

/** A connector that can be paid for. */
export type Outlet = { chargerId: string; name: string; connectors: number[]; isOnline: boolean }

type Props = { outlets: Outlet[] | null; onClose: () => void; onMade: (paymentId: string) => void }

/** Requests money from a driver before the charger starts. */
export const NewPaymentDialog = ({ outlets, onClose, onMade }: Props) => (
  <CallFormDialog
    title={t('New payment')}
    submit={t('Ask for payment')}
    call={reservePayment}
    initial={outlets && { chargerId: '', connectorId: '1' }}
    toBody={({ chargerId, connectorId }) => ({ chargerId, connectorId: Number(connectorId) })}
    onDone={({ payment }) => onMade(payment._id)}
    onClose={onClose}
  >
    {({ field, values }) => (
      <>
        <Select
          label={t('Charger')}
          description={t('The driver pays what the session costs; the rest of what is reserved is released.')}
          searchable
          allowDeselect={false}
          data-autofocus
          data={(outlets ?? []).map(({ chargerId, name, isOnline }) => ({
            value: chargerId,
            label: name,
            disabled: !isOnline,
          }))}
          {...field('chargerId')}
        />
        <Select
          label={t('Connector')}
          allowDeselect={false}
          data={(outlets?.find(({ chargerId }) => chargerId === values.chargerId)?.connectors ?? [1]).map(String)}
          {...field('connectorId')}
        />
      </>
    )}
  </CallFormDialog>
)
