import { Button } from '@mantine/core'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { localDateOf } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { type ReactNode, useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { FrequencyWindowCard } from '#grid/frequency/FrequencyWindowCard.tsx'
import { type FrequencyTimes, defaultTimes, runningSpan, spanOf, timesOf } from '#grid/frequency/window.ts'
import { SetPointCard } from '#delivery/equipment/SetPointCard.tsx'
import { AutoRefresh } from '#ui/AutoRefresh.tsx'
import { type UrlProps, useDraft } from '#lib/url-state.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { TimeField } from '#ui/date/TimeField.tsx'
import { RangePicker } from '#ui/Chart/RangePicker.tsx'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { useTimeRange } from '#ui/Chart/useTimeRange.ts'
import { Empty } from '#ui/Loaded.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './Market.module.css'
import type { marketSearch } from './search.ts'

type Props = UrlProps<typeof marketSearch> & { market: string; customer: Customer }

export const SignalTab = ({ market, customer, search, onSearch }: Props) => {
  // The default window is the one of the page load until a submit or an automatic refresh.
  const [defaults] = useState(() => defaultTimes(currentMs()))
  const [runningAtMs, setRunningAtMs] = useState<number | null>(null)
  const signals = customer.frequency
  const inMarket = customer.instances.filter((one) => one.market.includes(market))
  // FCR is sold in the continental grid of DK1, FCR-D, FCR-N and FFR in the Nordic one of DK2; aFRR in both, so the instance decides.
  const grids = new Set(signalsOf(market, customer.areas).map(({ area }) => area))
  const instanceArea = inMarket.map(({ area }) => area).find((area) => area !== null && grids.has(area))
  const defaultSignal =
    signals.find(({ area }) => area === instanceArea) ?? signals.find(({ area }) => grids.has(area)) ?? signals[0]
  const signal = signals.find(({ _id }) => _id === search.frequency) ?? defaultSignal
  // Markets that are activated by a set point instead of the frequency.
  const followsSetPoint = isMarket(market) && markets[market].group === 'frr_based'
  const instance = followsSetPoint ? inMarket[0] : undefined
  const times: FrequencyTimes = {
    date: search.date ?? defaults.date,
    startTime: search.startTime ?? defaults.startTime,
    endTime: search.endTime ?? defaults.endTime,
  }
  const chosen = spanOf(times)
  const range = useTimeRange()
  const own =
    runningAtMs !== null ? runningSpan(chosen, runningAtMs) : chosen.fromMs < chosen.toMs ? chosen : spanOf(defaults)
  const { span } = range.shown ?? { span: own }
  const shared = range.sharedWith(own)
  const isRunning = runningAtMs !== null && range.shown === null
  // The submitted times and the displayed day, or a range: while the window moves, the charts keep the last answer.
  const keepWhile = JSON.stringify(range.shown ? ['range'] : [times, localDateOf(own.fromMs)])
  if (!signal)
    return (
      <Stack gap="cards" className={classes.fill}>
        <Panel title={t('Frequency')} note="(Hz)">
          <Empty title={t('No frequency signal')}>
            {t('Your company has no frequency signal. Ask the operator to add one.')}
          </Empty>
        </Panel>
        {instance && <SetPointCard instance={instance} span={span} running={false} keepWhile={keepWhile} />}
      </Stack>
    )
  const unlessDefault = <K extends keyof FrequencyTimes>(key: K, next: FrequencyTimes) =>
    next[key] === defaults[key] ? undefined : next[key]
  return (
    <Stack gap="cards" className={classes.fill}>
      <SignalFilter
        key={JSON.stringify([signal._id, times])}
        signals={signals}
        current={{ ...(runningAtMs === null ? times : timesOf(own)), frequency: signal._id }}
        onSubmit={({ frequency, ...next }) => {
          setRunningAtMs(null)
          onSearch({
            frequency: frequency === defaultSignal?._id ? undefined : frequency,
            date: unlessDefault('date', next),
            startTime: unlessDefault('startTime', next),
            endTime: unlessDefault('endTime', next),
            range: undefined,
            zoom: undefined,
          })
        }}
        picker={<RangePicker shown={shared} chosen={range.chosen} zoom={range.zoom} onChoose={range.choose} />}
        actions={
          <AutoRefresh
            on={isRunning}
            onToggle={(on) => {
              setRunningAtMs(on ? currentMs() : null)
              if (on && range.shown) range.choose(undefined)
            }}
            onRefresh={() => setRunningAtMs(currentMs())}
          />
        }
      />
      <SharedRangeContext value={shared}>
        <FrequencyWindowCard
          customer={customer}
          signal={signal}
          span={span}
          running={isRunning}
          keepWhile={keepWhile}
        />
        {instance && <SetPointCard instance={instance} span={span} running={isRunning} keepWhile={keepWhile} />}
      </SharedRangeContext>
    </Stack>
  )
}

type Chosen = FrequencyTimes & { frequency: string }
type FilterProps = {
  signals: Customer['frequency']
  current: Chosen
  onSubmit: (chosen: Chosen) => void
  picker: ReactNode
  actions: ReactNode
}

const SignalFilter = ({ signals, current, onSubmit, picker, actions }: FilterProps) => {
  const { draft: chosen, change, reset } = useDraft(current)
  const { fromMs, toMs } = spanOf(chosen)
  const backwards = fromMs >= toMs
  const submit = (next: Chosen) => {
    if (backwards) return
    reset()
    onSubmit(next)
  }
  return (
    <FilterRow label={t('Signal')} onSubmit={() => submit(chosen)} actions={actions}>
      <Select
        label={t('Signal')}
        w={200}
        data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={chosen.frequency}
        allowDeselect={false}
        onChange={(frequency) => frequency && change({ frequency })}
      />
      <DaySteps value={chosen.date} onChange={(date) => submit({ ...chosen, date })}>
        <DateField label={t('Date')} value={chosen.date} onChange={(date) => change({ date })} />
      </DaySteps>
      {picker}
      <TimeField label={t('Start time')} value={chosen.startTime} onChange={(startTime) => change({ startTime })} />
      <TimeField
        label={t('End time')}
        value={chosen.endTime}
        error={backwards ? t('Must be after the start') : null}
        onChange={(endTime) => change({ endTime })}
      />
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
