import { FormActions } from '#ui/FormParts.tsx'
import { QrCode } from '#ui/OneTimeSecret.tsx'
import type { PaymentState } from '@gridmast/contract/choices.ts'
import {
  type PaymentEvent,
  getPayment,
  type Payment,
  releasePayment,
  retryCapture,
  refundPayment,
} from '@gridmast/contract/charging/payments.ts'
import type { Sentence } from '#i18n/da.ts'
import { Tag } from '#ui/Tag.tsx'
import { Button, Group, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { addDecimals, compareDecimals } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { digits, format } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Row, Stack, Text } from '#ui/Layout.tsx'
import { useConfirm, ConfirmDialog } from '#ui/useConfirm.tsx'
import classes from './payments.module.css'
import { PaymentTag } from './PaymentTag.tsx'
import { useCallForm } from '#lib/call-form.ts'
import { DecimalField } from '#ui/DecimalField.tsx'

const eventWords: Record<PaymentEvent, Sentence> = {
  reserve: 'Payment requested',
  waiting: 'MobilePay is waiting for the driver',
  authorised: 'Approved by the driver',
  declined: 'Not approved in time, or declined by the driver',
  start: 'Start sent to the charger',
  'no-start': 'No session started',
  began: 'Session started',
  ended: 'Session ended',
  capture: 'Capture requested',
  captured: 'Captured',
  'capture-failed': 'Capture failed',
  release: 'Release requested',
  released: 'Released',
  refund: 'Refund requested',
  refunded: 'Refunded',
  'refund-failed': 'The refund was refused',
  failed: 'Failed',
  'late-session': 'The charger reported a session after the release. Nothing is captured.',
  told: 'Reported by MobilePay',
}

const rereadMs = 3000

/** States that change only by a user's action. */
const finalStates: readonly PaymentState[] = [
  'captured',
  'capture-failed',
  'partly-refunded',
  'refunded',
  'released',
  'declined',
  'failed',
]
const isFinal = ({ state, isOpen }: Payment) => !isOpen && finalStates.includes(state)

type Props = { paymentId: string | null; onClose: () => void }

export const PaymentDialog = ({ paymentId, onClose }: Props) => {
  const [finalId, setFinalId] = useState<string | null>(null)
  const hasEnded = paymentId !== null && finalId === paymentId
  const read = useCall(getPayment, {
    sent: { params: { id: paymentId ?? '' } },
    enabled: paymentId !== null,
    ...(hasEnded ? {} : { refetchIntervalMs: rereadMs }),
  })
  const payment = read.data?.payment
  if (payment && (isFinal(payment) ? payment._id : null) !== finalId) setFinalId(isFinal(payment) ? payment._id : null)
  return (
    <Dialog opened={paymentId !== null} onClose={onClose} title={t('Payment')} size={720} large>
      <Loaded query={read} failed={t('The payment could not be loaded.')} waiting={400}>
        {(answer) => <Details answer={answer} />}
      </Loaded>
    </Dialog>
  )
}

const Details = ({ answer }: { answer: Data<typeof getPayment> }) => {
  const { payment, approveUrl, history } = answer
  return (
    <Stack gap={16}>
      <Row as="p" gap={8}>
        <PaymentTag state={payment.state} /> {payment.chargerName} · {t('Connector {{n}}', { n: payment.connectorId })}
        {payment.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
      </Row>
      <Row gap={32} rowGap={12} align="stretch">
        <Figure label={t('Reserved')} value={payment.reserved} unit="DKK" />
        <Figure label={t('Session cost')} value={payment.cost} unit="DKK" />
        <Figure label={t('Paid')} value={payment.captured} unit="DKK" />
        <Figure label={t('Refunded')} value={payment.refunded} unit="DKK" />
        <Figure label={t('Energy')} value={payment.kwh} decimals={3} unit="kWh" />
      </Row>
      {payment.transactionId && <Note>{t('Session cost: kWh × driver price on its first day, rounded to øre.')}</Note>}
      {payment.cost !== null && compareDecimals(payment.cost, payment.reserved) > 0 && (
        <Note ink="warn">
          {t('The session cost {{amount}} DKK more than reserved; the excess is not captured.', {
            amount: digits.dkk(addDecimals(payment.cost, `-${payment.reserved}`)),
          })}
        </Note>
      )}
      {payment.failure && (
        <Note ink="warn" role="status">
          {payment.isOpen ? t('Retrying. Last answer:') : t('Last answer:')} {translateText(payment.failure)}
        </Note>
      )}
      {approveUrl && (
        <Stack gap={8} style={{ justifyItems: 'center', textAlign: 'center' }}>
          <QrCode text={approveUrl} label={t('QR code that opens the payment in MobilePay')} />
          <p>
            {t('The driver scans and approves. The charger then starts.')}{' '}
            <a href={approveUrl} target="_blank" rel="noreferrer">
              {t('Open in MobilePay')}
            </a>
          </p>
        </Stack>
      )}
      <PaymentActions payment={payment} />
      <h3 style={{ margin: '8px 0 0', fontSize: 14 }}>{t('History')}</h3>
      <Stack as="ol" gap={8} className={classes.history}>
        {history.map(({ at, event, amount, who, words }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- the history only grows at its end
          <li key={i}>
            <time className="gm-num" dateTime={at}>
              {formatDateTime(Date.parse(at))}
            </time>
            <span>
              {t(eventWords[event])}
              {amount !== null && <b className="gm-num"> {format.dkk(amount)}</b>}
              {[who, words && (event === 'refund' ? words : translateText(words))].filter(Boolean).map((text) => (
                <Text key={text} ink="ink3">
                  {' '}
                  · {text}
                </Text>
              ))}
            </span>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

const PaymentActions = ({ payment }: { payment: Payment }) => {
  const [mayReserve, mayRefund] = [useCan('payment.reserve'), useCan('payment.refund')]
  const [refunding, setRefunding] = useState(false)
  const capturing = useDo(retryCapture)
  const sent = { params: { id: payment._id } }
  const [release, releaseDialog] = useConfirm({
    call: releasePayment,
    sent: () => sent,
    title: t('Release {{amount}} DKK?', { amount: digits.dkk(payment.reserved) }),
    text: t('The reserved amount is returned to the driver and can no longer be captured.'),
    confirm: t('Release'),
    danger: true,
  })
  const canRelease = ['waiting', 'reserved', 'capture-failed'].includes(payment.state)
  const isPaid = payment.state === 'captured' || payment.state === 'partly-refunded'
  const hasFailed = payment.state === 'capture-failed'
  return (
    <Group gap={8}>
      {mayReserve && hasFailed && (
        <Button loading={capturing.isPending} disabled={payment.isOpen} onClick={() => capturing.mutate(sent)}>
          {t('Retry capture')}
        </Button>
      )}
      {mayReserve && canRelease && (
        <Button variant="default" disabled={payment.isOpen} onClick={() => release()}>
          {t('Release')}
        </Button>
      )}
      {mayRefund && isPaid && (
        <Button variant="default" disabled={payment.isOpen} onClick={() => setRefunding(true)}>
          {t('Refund')}
        </Button>
      )}
      <RefundDialog payment={refunding ? payment : null} onClose={() => setRefunding(false)} />
      {releaseDialog}
    </Group>
  )
}

type RefundProps = { payment: Payment | null; onClose: () => void }

const RefundDialog = ({ payment, onClose }: RefundProps) => (
  <Dialog opened={payment !== null} onClose={onClose} size={560} title={t('Refund')}>
    {payment && <RefundForm payment={payment} onClose={onClose} />}
  </Dialog>
)

const RefundForm = ({ payment, onClose }: { payment: Payment; onClose: () => void }) => {
  const [confirming, setConfirming] = useState(false)
  const rest = addDecimals(payment.captured ?? '0', `-${payment.refunded}`)
  const { values, field, decimal, formProps, validate, sending, waitS } = useCallForm(refundPayment, {
    initial: { amount: rest, note: '' },
    request: { params: { id: payment._id } },
    onDone: onClose,
    onRefused: () => setConfirming(false),
  })
  return (
    <form
      aria-label={t('Refund')}
      {...formProps}
      onSubmit={async (event) => {
        event.preventDefault()
        if ((await validate())?.hasErrors === false) setConfirming(true)
      }}
    >
      <Stack gap={16}>
        <DecimalField
          label={t('Amount')}
          description={t('At most {{amount}} DKK can be refunded.', {
            amount: digits.dkk(rest),
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
        title={t('Refund {{amount}} DKK?', { amount: digits.dkk(values.amount) })}
        confirm={t('Refund')}
        danger
        sending={sending}
        onConfirm={() => formProps.onSubmit()}
        onClose={() => setConfirming(false)}
      >
        {t('The driver is refunded through MobilePay. A refund cannot be undone.')}
      </ConfirmDialog>
    </form>
  )
}
