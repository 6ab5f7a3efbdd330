import { Button, Group, TextInput } from '@mantine/core'
import { type ChargerTransaction, endSession, reviewSessionEnergy } from '@gridmast/contract/charging/ev-charging.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime, hourMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Note } from '#ui/Layout.tsx'
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
      <EnergyDialog session={session} opened={doing === 'review'} onClose={() => setDoing(null)} />
      <EndDialog session={session} opened={doing === 'end'} onClose={() => setDoing(null)} />
    </div>
  )
}

type DialogProps = { session: ChargerTransaction; opened: boolean; onClose: () => void }

const EnergyDialog = ({ session, opened, onClose }: DialogProps) => (
  <CallFormDialog
    title={t('Confirm or correct the energy')}
    submit={t('Save energy')}
    call={reviewSessionEnergy}
    initial={
      opened ? { kwh: String(session.energyReview ? session.consumption : session.doubtedKwh), reason: '' } : null
    }
    request={{ params: { id: session._id } }}
    onClose={onClose}
  >
    {({ field, decimal }) => (
      <>
        <DecimalField
          label={t('Energy')}
          description={t('Leave {{kwh}} kWh to confirm what the charger reported.', { kwh: kwh(session.doubtedKwh) })}
          unit="kWh"
          decimals={3}
          data-autofocus
          {...decimal('kwh')}
        />
        <TextInput
          label={t('Reason')}
          description={t('It is kept with the session and in the audit trail.')}
          autoComplete="off"
          {...field('reason')}
        />
      </>
    )}
  </CallFormDialog>
)

const EndDialog = ({ session, opened, onClose }: DialogProps) => (
  <CallFormDialog
    title={t('End this session?')}
    submit={t('End session')}
    call={endSession}
    initial={opened ? { reason: '' } : null}
    request={{ params: { id: session._id } }}
    onClose={onClose}
  >
    {({ field }) => (
      <>
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
      </>
    )}
  </CallFormDialog>
)
