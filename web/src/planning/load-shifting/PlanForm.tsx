import { Button, Checkbox } from '@mantine/core'
import { makePlan, type PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import { localDateOf } from '@gridmast/contract/time.ts'
import { useCallForm, typedNumber } from '#lib/call-form.ts'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { TimeField } from '#ui/date/TimeField.tsx'
import { type Draft, draftOf, firstDeadline, planBody, sumOfNeeds } from './draft.ts'
import {
  keyOf,
  KindSelect,
  LoadSelect,
  MoreFields,
  NeedFields,
  PowerFields,
  WeightField,
  type LoadFormProps,
  LoadPanel,
} from './LoadFields.tsx'
import classes from './load-shifting.module.css'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Grid, Note, Row } from '#ui/Layout.tsx'

type Props = { onMade: (planId: string, loadId: string | null) => void }
type Chosen = { loadId: string | null | undefined; onLoad: (loadId: string) => void }

export const PlanForm = ({ onMade, loadId, onLoad }: Props & Chosen) => (
  <LoadPanel
    title={t('Plan')}
    label={t('New plan')}
    loadId={loadId}
    onLoad={onLoad}
    isFirst={({ target }) => target.kind === 'site'}
    renderForm={(props) => <LoadForm key={keyOf(props.load)} {...props} onMade={onMade} />}
  />
)

const LoadForm = ({ load, loads, tariffs, onLoad, onMade }: LoadFormProps & Props) => {
  const now = useNow(60_000)
  const callForm = useCallForm(makePlan, {
    initial: draftOf(load, now),
    toBody: (draft: Draft) => planBody(draft, load),
    onDone: ({ _id }) => onMade(_id, load.target._id),
  })
  const { form, formProps, sending, waitS } = callForm
  const error = (path: string) => (typeof form.errors[path] === 'string' ? form.errors[path] : null)
  return (
    <form aria-label={t('New plan')} className={classes.form} {...formProps}>
      <LoadSelect loads={loads} value={keyOf(load)} onChange={onLoad} error={error('instanceId')} />
      <KindSelect form={callForm} load={load} />
      {form.values.needs === null && <NeedFields form={callForm} />}
      <PowerFields form={callForm} />
      <ChargerNeeds
        load={load}
        draft={form.values}
        error={error('needs') ?? error('needKwh')}
        onChange={(needs) => form.setFieldValue('needs', needs)}
      />
      <Row nowrap wholeLine gap={12} align="stretch" className={classes.times}>
        <DateField
          label={t('Not before')}
          data-path="start"
          value={form.values.startDate}
          min={localDateOf(now)}
          error={error('start')}
          onChange={(date) => form.setFieldValue('startDate', date)}
        />
        <TimeField
          label={t('Time')}
          value={form.values.startTime}
          onChange={(time) => form.setFieldValue('startTime', time)}
        />
      </Row>
      <Row nowrap wholeLine gap={12} align="stretch" className={classes.times}>
        <DateField
          label={t('Deadline')}
          data-path="deadline"
          value={form.values.deadlineDate}
          min={firstDeadline(now)}
          error={error('deadline')}
          onChange={(date) => form.setFieldValue('deadlineDate', date)}
        />
        <TimeField
          label={t('Time')}
          value={form.values.deadlineTime}
          onChange={(time) => form.setFieldValue('deadlineTime', time)}
        />
      </Row>
      <MoreFields form={callForm} tariffs={tariffs} />
      <WeightField form={callForm} />
      <Button type="submit" className={classes.wide ?? ''} fullWidth loading={sending} disabled={waitS > 0}>
        {waitS > 0 ? t('Try again in {{seconds}} s', { seconds: waitS }) : t('Create plan')}
      </Button>
    </form>
  )
}

type NeedsProps = {
  load: PlannedLoad
  draft: Draft
  onChange: (needs: Draft['needs']) => void
  error: string | null
}

/** Need of each charger of a site, if not shared evenly; a charger with an empty field is not planned. */
const ChargerNeeds = ({ load, draft, onChange, error }: NeedsProps) => {
  const { needs } = draft
  if (load.chargers.length < 2) return null
  return (
    <div className={classes.wide}>
      <Checkbox
        label={t('Each charger has its own need')}
        checked={needs !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? {} : null)}
      />
      {needs !== null && (
        <Grid columns={2} gap={12} above={12} data-path="needs" role="group" aria-label={t('Energy need')}>
          {load.chargers.map(({ _id, name, online }) => (
            <DecimalField
              key={_id}
              label={online ? name : t('{{name}} (offline)', { name })}
              unit="kWh"
              decimals={1}
              initial={needs[_id] ?? null}
              onChange={(decimal) => onChange({ ...needs, [_id]: typedNumber(decimal) })}
            />
          ))}
          <Note size="label" wholeLine ink={error ? 'down' : 'ink3'} className="gm-num" data-path="needKwh">
            {error ?? t('Together {{kwh}} kWh', { kwh: digits.kwhTotal(sumOfNeeds(draft)) })}
          </Note>
        </Grid>
      )}
    </div>
  )
}
