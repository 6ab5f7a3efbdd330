import { Actions, SubmitButton } from '#ui/FormParts.tsx'
import { Empty, LoadError } from '#ui/Loaded.tsx'
import { Textarea } from '@mantine/core'
import { acknowledgeTriggered, getTriggered, type TriggeredAlert } from '@gridmast/contract/notifications/triggered.ts'
import type { RiskAbout } from '@gridmast/contract/trading/penalty-guard.ts'
import { formatDate, formatDateTime, hourMs, localDateOf, localTime } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { Grid, Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { criteriaWords, triggerName, typeWords, withUnit } from './alert-words.ts'
import { notificationSearch } from './search.ts'

export const TriggeredView = ({ triggerId }: { triggerId: string }) => {
  const mayAcknowledge = useCan('alert.edit')
  const query = useCall(getTriggered, { sent: { params: { id: triggerId } } })
  const { data } = query
  const model = useMemo((): ChartModel | null => {
    const series = data?.graph[0]
    if (!data || !series) return null
    const { triggered } = data
    const atMs = Date.parse(triggered.triggerTime)
    return {
      series: [{ ...series, name: 'Power', colour: 1 }],
      span: { fromMs: atMs - hourMs / 2, toMs: atMs + hourMs / 2 },
      unit: 'kW',
      decimals: 1,
      moment: { atMs, words: t('Triggered') },
      // A threshold of consumption is kWh: it has no place on an axis of kW.
      ...(triggered.type === 'power'
        ? { thresholds: [{ name: t('Threshold'), value: triggered.threshold, plate: 'above' }] }
        : {}),
    }
  }, [data])
  if (query.error) return <LoadError query={query} title={t('The alert could not be loaded.')} />
  return (
    <Stack gap={16}>
      {data && <TriggerFacts triggered={data.triggered} />}
      {data?.triggered.about && <AtRisk about={data.triggered.about} group={data.triggered.group} />}
      <ChartPanel
        title={t('Power')}
        note="(kW)"
        height={280}
        query={query}
        model={model}
        empty={t('No power measurements in this period.')}
      />
      {data && mayAcknowledge && <Acknowledge key={data.triggered._id} triggered={data.triggered} />}
    </Stack>
  )
}

const TriggerFacts = ({ triggered }: { triggered: TriggeredAlert }) => {
  const { groupName, type, criteria, threshold, value, triggerTime, crossedAt } = triggered
  const { acknowledgedAt, acknowledgedBy } = triggered
  const facts: [string, string][] = [
    [t('Instance'), groupName],
    [t('Type'), t(typeWords[type])],
    [t('Criteria'), `${t(criteriaWords[criteria])} ${withUnit(threshold, type)}`],
    [t('Value'), withUnit(value, type)],
    [t('Trigger time'), formatDateTime(Date.parse(triggerTime))],
    ...(crossedAt === triggerTime
      ? []
      : [[t('Active since'), formatDateTime(Date.parse(crossedAt))] satisfies [string, string]]),
    [
      t('Acknowledged'),
      acknowledgedAt ? `${acknowledgedBy ?? '–'}, ${formatDateTime(Date.parse(acknowledgedAt))}` : '–',
    ],
  ]
  const name = triggerName(triggered)
  return (
    <Panel title={name} label={name}>
      <Grid as="dl" fill={180} gap={12}>
        {facts.map(([term, words]) => (
          <div key={term}>
            <Text as="dt" ink="ink3">
              {term}
            </Text>
            <Text as="dd">{words}</Text>
          </div>
        ))}
      </Grid>
      {triggered.late && <p className="gm-meta">{t('Data arrived late; no notification was sent.')}</p>}
      {triggered.comment && <p>{triggered.comment}</p>}
    </Panel>
  )
}

const AtRisk = ({ about, group }: { about: RiskAbout; group: string }) => {
  const { market, slots } = about
  const [first] = slots
  return (
    <Panel title={t('When the alert was sent')} label={t('When the alert was sent')}>
      <Stack as="ul" gap={6} below={12}>
        {slots.map(({ product, start, end, soldKw, expectedKw, lossEur, atStakeEur }) => (
          <li key={`${product} ${start}`}>
            <b className="gm-num">
              {formatDate(Date.parse(start))} {localTime(Date.parse(start))}–{localTime(Date.parse(end))}
            </b>{' '}
            {t('{{product}}: {{sold}} kW sold, {{expected}} kW expected', {
              product,
              sold: digits.trimmedKw(soldKw),
              expected: digits.trimmedKw(expectedKw),
            })}
            {lossEur !== null &&
              `; ${t('possible loss {{lost}} of {{all}} EUR', {
                lost: digits.eur(lossEur),
                all: digits.eur(atStakeEur),
              })}`}
          </li>
        ))}
      </Stack>
      <Link
        to="/demandResponse/$market"
        params={{ market }}
        search={{
          tab: 'soldCapacity',
          instance: group,
          ...(first ? { date: localDateOf(Date.parse(first.start)) } : {}),
        }}
        className="gm-link"
      >
        {t('Current status and contacts')}
      </Link>
    </Panel>
  )
}

const Acknowledge = ({ triggered }: { triggered: TriggeredAlert }) => {
  const { field, formProps, sending, waitS } = useCallForm(acknowledgeTriggered, {
    initial: { comment: triggered.comment },
    request: { params: { id: triggered._id } },
    onDone: () => {},
  })
  return (
    <Panel title={t('Acknowledge')} label={t('Acknowledge')}>
      <form {...formProps} aria-label={t('Acknowledge')}>
        <Textarea label={t('Comment')} {...field('comment')} />
        <Actions>
          <SubmitButton sending={sending} waitS={waitS}>
            {triggered.acknowledgedAt ? t('Save comment') : t('Acknowledge')}
          </SubmitButton>
        </Actions>
      </form>
    </Panel>
  )
}

const Notification = () => {
  const [{ trigger }] = useUrlState(notificationSearch)
  return (
    <main>
      {trigger ? (
        <TriggeredView key={trigger} triggerId={trigger} />
      ) : (
        <Empty title={t('No alert selected')}>{t('Open an alert from the bell or from Triggered Alerts.')}</Empty>
      )}
    </main>
  )
}

export default Notification
