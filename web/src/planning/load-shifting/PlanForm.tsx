import { Button } from '@mantine/core'
import { makePlan } from '@gridmast/contract/planning/load-shifting.ts'
import { localDateOf } from '@gridmast/contract/time.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { TimeField } from '#ui/date/TimeField.tsx'
import { ChargerNeeds } from './ChargerNeeds.tsx'
import { type Draft, draftOf, firstDeadline, planBody } from './draft.ts'
import { keyOf, KindSelect, LoadSelect, MoreFields, NeedFields, PowerFields, WeightField } from './LoadFields.tsx'
import { type LoadFormProps, LoadPanel } from './LoadPanel.tsx'
import classes from './load-shifting.module.css'

type Props = { onMade: (planId: string, loadId: string | null) => void }
type Chosen = { loadId: string | null | undefined; onLoad: (loadId: string) => void }

/** What is to be planned, until when, and within which limits. */
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
      <div className={classes.times}>
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
      </div>
      <div className={classes.times}>
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
      </div>
      <MoreFields form={callForm} tariffs={tariffs} />
      <WeightField form={callForm} />
      <Button type="submit" className={classes.wide ?? ''} fullWidth loading={sending} disabled={waitS > 0}>
        {waitS > 0 ? t('Try again in {{seconds}} s', { seconds: waitS }) : t('Make plan')}
      </Button>
    </form>
  )
}
