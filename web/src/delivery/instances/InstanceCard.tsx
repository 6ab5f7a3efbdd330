import type { Customer } from '@gridmast/contract/people/user.ts'
import { minuteMs, today } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { useLive } from '#lib/live.ts'
import { usePhone } from '#lib/phone.ts'
import { ChartPanel, LiveFigure } from '#ui/Chart/ChartPanel.tsx'
import { useFeed } from '#ui/Chart/feed.ts'
import { ChoiceMenu } from '#ui/ChoiceMenu.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Segments } from '#ui/Segments.tsx'
import { type InstanceView, staleMs, useInstanceDay } from './useInstanceDay.ts'

type Props = {
  instances: Customer['instances']
  instanceId: string
  onInstance: (instanceId: string) => void
  view: InstanceView
  onView: (view: InstanceView) => void
}

/** Power of an instance over today, live, or its consumption hour by hour. */
export const InstanceCard = ({ instances, instanceId, onInstance, view, onView }: Props) => {
  const date = today(useNow(60_000))
  const small = usePhone()
  const { query, download, feed, live, model: whole, peak, totalKwh, gapWords } = useInstanceDay(instanceId, date, view)
  const model = useMemo(() => (whole && small ? { ...whole, bare: true } : whole), [whole, small])
  const setPoint = useFeed(minuteMs, undefined)
  useLive(instanceId, 'setPoint', setPoint.push)
  const name = instances.find(({ _id }) => _id === instanceId)?.name ?? ''
  return (
    <ChartPanel
      title={name}
      help="instancePower"
      simulatedInFoot
      note={view === 'power' ? t('Power (kW)') : t('Consumption (kWh)')}
      badge={
        <ChoiceMenu
          label={t('Choose an instance')}
          choices={instances.map(({ _id, name: label }) => ({ value: _id, label }))}
          chosen={instanceId}
          onChoose={onInstance}
          titled
        />
      }
      controls={
        !small && (
          <Segments
            label={t('View')}
            value={view}
            onChange={onView}
            data={[
              { value: 'power', label: t('Power (kW)') },
              { value: 'consumption', label: t('Consumption (kWh)') },
            ]}
          />
        )
      }
      figures={
        <>
          <LiveFigure feed={feed} label={t('Now')} unit="kW" decimals={1} />
          <Figure label={t('Today')} value={totalKwh} decimals={1} unit="kWh" />
          <Figure {...peak} decimals={1} unit="kW" />
          <LiveFigure feed={setPoint} label={t('Set point')} unit="%" decimals={0} spare />
        </>
      }
      legend={!small && [{ name: t('Measured'), colour: 1, line: view === 'power' }]}
      height={190}
      phoneHeight={64}
      query={query}
      model={model}
      live={live}
      failed={t('Power could not be loaded.')}
      empty={t('No measurements today')}
      hint={t('The instance has not reported since midnight.')}
      reported={{ feed, staleAfterMs: staleMs }}
      footRight={gapWords}
      onDownload={download}
    />
  )
}
