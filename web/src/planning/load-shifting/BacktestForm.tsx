import { Button, Checkbox } from '@mantine/core'
import { makeBacktest } from '@gridmast/contract/planning/load-backtests.ts'
import type { PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { TimeField } from '#ui/date/TimeField.tsx'
import { Segments } from '#ui/Segments.tsx'
import { type Draft, draftOf, loadOf } from './draft.ts'
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
import { Row } from '#ui/Layout.tsx'

type Props = { onMade: (backtestId: string, loadId: string | null) => void }
type Chosen = { loadId: string | null | undefined; onLoad: (loadId: string) => void }

export const BacktestForm = ({ onMade, loadId, onLoad }: Props & Chosen) => (
  <LoadPanel
    title={t('Backtest')}
    label={t('New backtest')}
    loadId={loadId}
    onLoad={onLoad}
    renderForm={(props) => <LoadForm key={keyOf(props.load)} {...props} onMade={onMade} />}
  />
)

type BacktestDraft = Draft & { period: 'month' | 'year'; from: string; until: string; workdays: boolean }

/** Cars charge overnight; other loads run at any time. */
const backtestDraft = (load: PlannedLoad, nowMs: number): BacktestDraft => ({
  ...draftOf(load, nowMs),
  ...(load.suggested.kind === 'session' ? { from: '17:00', until: '07:00' } : { from: '00:00', until: '24:00' }),
  period: 'month',
  workdays: false,
  costWeight: 100,
})

const backtestBody = (draft: BacktestDraft, load: PlannedLoad) => ({
  ...loadOf(draft, load),
  period: draft.period,
  from: draft.from,
  until: draft.until,
  workdays: draft.workdays,
})

const LoadForm = ({ load, loads, tariffs, onLoad, onMade }: LoadFormProps & Props) => {
  const now = useNow(60_000)
  const callForm = useCallForm(makeBacktest, {
    initial: backtestDraft(load, now),
    toBody: (draft: BacktestDraft) => backtestBody(draft, load),
    onDone: ({ _id }) => onMade(_id, load.target._id),
  })
  const { form, formProps, sending, waitS } = callForm
  const error = (path: string) => (typeof form.errors[path] === 'string' ? form.errors[path] : null)
  const { kind, period, from, until, workdays } = form.values
  return (
    <form aria-label={t('New backtest')} className={classes.form} {...formProps}>
      <div className={classes.wide}>
        <Segments
          label={t('Period')}
          wide
          value={period}
          onChange={(value) => form.setFieldValue('period', value)}
          data={[
            { value: 'month', label: t('Last month') },
            { value: 'year', label: t('Last 12 months') },
          ]}
        />
      </div>
      <LoadSelect loads={loads} value={keyOf(load)} onChange={onLoad} error={error('instanceId')} />
      <KindSelect form={callForm} load={load} />
      <NeedFields form={callForm} isDaily />
      <PowerFields form={callForm} />
      {kind !== 'storage' && (
        <>
          <Row nowrap wholeLine gap={12} align="stretch">
            <TimeField
              label={t('Each day from')}
              data-path="from"
              value={from}
              error={error('from')}
              onChange={(time) => form.setFieldValue('from', time)}
            />
            <TimeField
              label={t('Done by')}
              data-path="until"
              value={until}
              error={error('until')}
              onChange={(time) => form.setFieldValue('until', time)}
            />
          </Row>
          <Checkbox
            className={classes.wide ?? ''}
            label={t('Monday to Friday only')}
            checked={workdays}
            onChange={({ currentTarget }) => form.setFieldValue('workdays', currentTarget.checked)}
          />
        </>
      )}
      <MoreFields form={callForm} tariffs={tariffs} isDaily />
      <WeightField form={callForm} />
      <Button type="submit" className={classes.wide ?? ''} fullWidth loading={sending} disabled={waitS > 0}>
        {waitS > 0 ? t('Try again in {{seconds}} s', { seconds: waitS }) : t('Run backtest')}
      </Button>
    </form>
  )
}
