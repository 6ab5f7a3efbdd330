import { Button, Group, TextInput } from '@mantine/core'
import { type ChargerTransaction, endSession, reviewSessionEnergy } from '@gridmast/contract/charging/ev-charging.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime, hourMs } from '@gridmast/contract/time.ts'
import { useEffect, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Note, Stack } from '#ui/Layout.tsx'
import classes from './ev-charging.module.css'

export const isDoubted = ({ doubtedKwh, energyReview }: ChargerTransaction): boolean =>
  doubtedKwh !== null && energyReview === null
export const hasChargedRefused = ({ refused, consumption }: ChargerTransaction): boolean =>
  refused && (consumption ?? 0) > 0
const isOpen = ({ status, refused }: ChargerTransaction) => !refused && (status === 'starting' || status === 'active')

/** The mean power that the reported energy implies, in kW; null without a duration. */
const impliedKw = ({ doubtedKwh, startTime, endTime }: ChargerTransaction): number | null => {
  const hours = endTime === null ? 0 : (Date.parse(endTime) - Date.parse(startTime)) / hourMs
  return doubtedKwh === null || hours <= 0 ? null : doubtedKwh / hours
}

const kwh = (value: number | null) => formatNumber(value, { decimals: 3, minDecimals: 1 })

/** What needs a user about a session, what was decided, and the decisions that this user may take. */
export const SessionReview = ({ session }: { session: ChargerTransaction }) => {
  const [mayReview, mayEnd] = [useCan('ev-charging.edit'), useCan('ev-charging.remote')]
  const [doing, setDoing] = useState<'review' | 'end' | null>(null)
  const { doubtedKwh, energyReview, consumption, maxKw } = session
  const power = impliedKw(session)
  const max = formatNumber(maxKw, { decimals: 0 })
  return (
    <div className={classes.review}>
      {isDoubted(session) && (
        <Note ink="warn">
          {power === null
            ? t('The charger reported {{kwh}} kWh at once; its connector delivers at most {{max}} kW.', {
                kwh: kwh(doubtedKwh),
                max,
              })
            : t(
                'The charger reported {{kwh}} kWh, on average {{power}} kW; its connector delivers at most {{max}} kW.',
                {
                  kwh: kwh(doubtedKwh),
                  power: formatNumber(power, { decimals: 0 }),
                  max,
                },
              )}{' '}
          {t('It is in no chart, budget, statement or payment until it is confirmed or corrected.')}
        </Note>
      )}
      {energyReview && (
        <p className={classes.quiet}>
          {t('{{kwh}} kWh set by {{by}} on {{at}}: {{reason}}. The charger reported {{reported}} kWh.', {
            kwh: kwh(consumption),
            by: energyReview.by,
            at: formatDateTime(Date.parse(energyReview.at)),
            reason: energyReview.reason,
            reported: kwh(doubtedKwh),
          })}
        </p>
      )}
      {hasChargedRefused(session) && (
        <Note ink="warn">
          {t('The tag was refused, and the charger charged {{kwh}} kWh all the same. They are counted apart.', {
            kwh: kwh(consumption),
          })}
        </Note>
      )}
      <Group gap={8}>
        {mayReview && doubtedKwh !== null && (
          <Button variant={energyReview ? 'default' : 'filled'} onClick={() => setDoing('review')}>
            {energyReview ? t('Correct again') : t('Confirm or correct')}
          </Button>
        )}
        {mayEnd && isOpen(session) && (
          <Button variant="default" onClick={() => setDoing('end')}>
            {t('End session')}
          </Button>
        )}
      </Group>
      <FormDialog
        editing={doing === 'review' ? session : null}
        title={t('Confirm or correct the energy')}
        onClose={() => setDoing(null)}
      >
        {(one, tools) => <EnergyForm session={one} {...tools} />}
      </FormDialog>
      <FormDialog
        editing={doing === 'end' ? session : null}
        title={t('End this session?')}
        onClose={() => setDoing(null)}
      >
        {(one, tools) => <EndForm session={one} {...tools} />}
      </FormDialog>
    </div>
  )
}

type FormProps = {
  session: ChargerTransaction
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
}

const EnergyForm = ({ session, onUnsaved, onCancel, onDone }: FormProps) => {
  const now = String(session.energyReview ? session.consumption : session.doubtedKwh)
  const { form, field, submit, sending, waitS } = useCallForm(reviewSessionEnergy, {
    initial: { kwh: now, reason: '' },
    fields: ['kwh', 'reason'],
    beside: () => ({ params: { id: session._id } }),
    onDone,
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  return (
    <form noValidate aria-label={t('Confirm or correct the energy')} onSubmit={submit}>
      <Stack gap={16}>
        <DecimalField
          label={t('Energy')}
          description={t('Leave {{kwh}} kWh to confirm what the charger reported.', { kwh: kwh(session.doubtedKwh) })}
          unit="kWh"
          decimals={3}
          initial={now}
          data-autofocus
          {...field('kwh')}
          onChange={(decimal) => form.setFieldValue('kwh', decimal ?? '')}
        />
        <TextInput
          label={t('Reason')}
          description={t('It is kept with the session and in the audit trail.')}
          autoComplete="off"
          {...field('reason')}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Save energy')}
      </FormActions>
    </form>
  )
}

const EndForm = ({ session, onUnsaved, onCancel, onDone }: FormProps) => {
  const { form, field, submit, sending, waitS } = useCallForm(endSession, {
    initial: { reason: '' },
    fields: ['reason'],
    beside: () => ({ params: { id: session._id } }),
    onDone,
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  return (
    <form noValidate aria-label={t('End this session?')} onSubmit={submit}>
      <Stack gap={16}>
        <p className={classes.plain}>
          {t(
            'It ends with its last reading and frees the connector. A stop that the charger reports later corrects it.',
          )}
        </p>
        <TextInput
          label={t('Reason')}
          description={t('It is kept with the session and in the audit trail.')}
          autoComplete="off"
          data-autofocus
          {...field('reason')}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('End session')}
      </FormActions>
    </form>
  )
}
