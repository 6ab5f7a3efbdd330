import type { Data } from '@gridmast/contract/call.ts'
import { type ChargingCost, sessionCost } from '@gridmast/contract/charging/charging-costs.ts'
import { type ChargerTransaction, endSession, reviewSessionEnergy } from '@gridmast/contract/charging/sessions.ts'
import { sumDecimals } from '@gridmast/contract/numbers.ts'
import { formatDateTime, quarterMs, hourMs } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { currentMs } from '#lib/clock.ts'
import { digits, sourceWords } from '#lib/format.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { slotLabel } from '#ui/Chart/shape.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Row, Stack, Text } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './ev-charging.module.css'
import { Button, Group, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '#lib/user.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'

const unknownCostWords = {
  price: 'No price is set for the charger.',
  spot: 'The spot price is not published yet.',
  tariff: 'The tariff has no price for this time.',
  energy: 'No energy was reported.',
  doubted: 'The reported energy must be confirmed first.',
} as const satisfies Record<NonNullable<ChargingCost['unknown']>, string>

/** The parts of the answer, with their gaps. */
const [headPx, rowPx, figuresAndMethodPx, notePx] = [30, 31, 124, 30]

/** Reserved, so that the dialog does not grow when its rows arrive. */
const heightOf = ({ startTime, endTime, cost }: ChargerTransaction) => {
  const endMs = endTime === null ? currentMs() : Date.parse(endTime)
  const quarters = Math.ceil(endMs / quarterMs) - Math.floor(Date.parse(startTime) / quarterMs)
  const notes = [cost?.unknown, cost?.spread].filter(Boolean).length
  return `calc(min(420px, 50vh, ${headPx + quarters * rowPx}px) + ${figuresAndMethodPx + notes * notePx}px)`
}

type Props = { session: ChargerTransaction | null; onClose: () => void }

export const SessionCostDialog = ({ session, onClose }: Props) => {
  const read = useCall(sessionCost, { sent: { params: { id: session?._id ?? '' } }, enabled: session !== null })
  return (
    <Dialog opened={session !== null} onClose={onClose} title={t('How the cost is calculated')} size={720}>
      {session && (
        <Note size="body" wholeLine>
          {session.tagName ?? session.idTag ?? session.chargerName} · {session.chargerName} ·{' '}
          {formatDateTime(Date.parse(session.startTime))}
        </Note>
      )}
      {session && <SessionReview key={session._id} session={session} />}
      <div style={{ marginTop: 10, minHeight: session ? heightOf(session) : 0 }}>
        <Loaded
          query={read}
          failed={t('The cost could not be loaded.')}
          waiting={
            <div role="status" aria-label={t('Loading')}>
              <Skeleton height={session ? heightOf(session) : 0} animate={false} />
            </div>
          }
        >
          {(answer) => <Quarters answer={answer} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

const Quarters = ({ answer }: { answer: Data<typeof sessionCost> }) => {
  const { cost, quarters, price: paid, sources } = answer
  const energy = sumDecimals(quarters.map(({ kwh }) => kwh))
  return (
    <Stack gap={12}>
      <Row gap={28} rowGap={8} align="end">
        <Figure label={t('Energy')} value={quarters.length > 0 ? energy : null} decimals={3} unit="kWh" />
        <Figure label={t('Cost')} value={cost.total} unit="DKK" />
        <Figure label={t('Driver pays')} value={cost.driver} unit="DKK" />
        <Figure label="CO₂" value={cost.kgCo2} decimals={3} unit="kg" />
        {answer.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
      </Row>
      {cost.unknown && <Note ink="warn">{t(unknownCostWords[cost.unknown])}</Note>}
      {cost.spread && (
        <Note>{t('Meter readings are more than half an hour apart; the energy between them is spread evenly.')}</Note>
      )}
      {quarters.length > 0 && (
        // A long session scrolls within the dialog, by the keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes.quarters} tabIndex={0} role="region" aria-label={t('Quarters of an hour')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Time')}</th>
                <th scope="col">kWh</th>
                <th scope="col">{t('Spot price')}</th>
                <th scope="col">{t('Tariff')}</th>
                <th scope="col">{t('Tax')}</th>
                <th scope="col">DKK</th>
                <th scope="col">g CO₂/kWh</th>
              </tr>
            </thead>
            <tbody className="gm-num">
              {quarters.map(({ from, kwh, dkkPerMwh, dkk, unknown, gramsPerKwh }) => (
                <tr key={from} title={unknown ? t(unknownCostWords[unknown]) : undefined}>
                  <th scope="row">{slotLabel(Date.parse(from), Date.parse(from) + quarterMs)}</th>
                  <td>{digits.meterKwh(kwh)}</td>
                  <td>{digits.dkkPerMwh(dkkPerMwh?.spot)}</td>
                  <td>{digits.dkkPerMwh(dkkPerMwh?.tariff)}</td>
                  <td>{digits.dkkPerMwh(dkkPerMwh?.tax)}</td>
                  <td>{digits.quarterDkk(dkk)}</td>
                  <td>{digits.gPerKwh(gramsPerKwh)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Note className="gm-meta">
        {t('Cost = kWh × (spot price + tariff + tax) of each quarter, in DKK/MWh without VAT.')}{' '}
        {paid?.driverPrice &&
          `${t('Drivers paid {{price}} DKK/kWh when the session began.', { price: digits.dkkPerKwh(paid.driverPrice) })} `}
        {[sources.spot, sources.tariff, sources.emission]
          .filter((source) => source !== null)
          .map((source) => sourceWords(source))
          .join(' · ')}
      </Note>
    </Stack>
  )
}

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

const SessionReview = ({ session }: { session: ChargerTransaction }) => {
  const [mayReview, mayEnd] = [useCan('ev-charging.edit'), useCan('ev-charging.remote')]
  const [doing, setDoing] = useState<'review' | 'end' | null>(null)
  const { doubtedKwh, energyReview, consumption, maxKw } = session
  const power = impliedKw(session)
  const max = digits.wholeKw(maxKw)
  return (
    <div className={classes.review}>
      {isDoubted(session) && (
        <Note ink="warn">
          {power === null
            ? t('The charger reported {{kwh}} kWh at once; its connector delivers at most {{max}} kW.', {
                kwh: digits.sessionKwh(doubtedKwh),
                max,
              })
            : t(
                'The charger reported {{kwh}} kWh, on average {{power}} kW; its connector delivers at most {{max}} kW.',
                {
                  kwh: digits.sessionKwh(doubtedKwh),
                  power: digits.wholeKw(power),
                  max,
                },
              )}{' '}
          {t('It is excluded from charts, budgets, statements and payments until confirmed or corrected.')}
        </Note>
      )}
      {energyReview && (
        <Note>
          {t('{{kwh}} kWh set by {{by}} on {{at}}: {{reason}}. The charger reported {{reported}} kWh.', {
            kwh: digits.sessionKwh(consumption),
            by: energyReview.by,
            at: formatDateTime(Date.parse(energyReview.at)),
            reason: energyReview.reason,
            reported: digits.sessionKwh(doubtedKwh),
          })}
        </Note>
      )}
      {hasChargedRefused(session) && (
        <Note ink="warn">
          {t('The tag was refused, but {{kwh}} kWh were charged. They are not in the totals.', {
            kwh: digits.sessionKwh(consumption),
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
          description={t('Keep {{kwh}} kWh to confirm the reported energy.', {
            kwh: digits.sessionKwh(session.doubtedKwh),
          })}
          unit="kWh"
          decimals={3}
          data-autofocus
          {...decimal('kwh')}
        />
        <TextInput
          label={t('Reason')}
          description={t('Stored with the session and in the audit trail.')}
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
        <Text as="p">
          {t('It ends at its last reading and the connector becomes free. A later stop from the charger corrects it.')}
        </Text>
        <TextInput
          label={t('Reason')}
          description={t('Stored with the session and in the audit trail.')}
          autoComplete="off"
          data-autofocus
          {...field('reason')}
        />
      </>
    )}
  </CallFormDialog>
)
