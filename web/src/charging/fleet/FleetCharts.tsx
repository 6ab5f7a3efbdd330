import type { Series } from '@gridmast/contract/series.ts'
import { addDays, atLocalTime, localDateOf } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel, PaletteIndex } from '#ui/Chart/model.ts'
import classes from './charge-fleet.module.css'
import type { FleetRead } from './fleet-read.ts'

const dayAfter = (ms: number) => atLocalTime(addDays(localDateOf(ms), 1), '00:00')

/** A column for each local day, which in spring and autumn is not 24 hours long. */
const dayModel = (days: Series | undefined, colour: PaletteIndex, decimals: number): ChartModel | null => {
  const [first] = days?.x ?? []
  const last = days?.x.at(-1)
  if (!days || first === undefined || last === undefined) return null
  return {
    span: { fromMs: first, toMs: dayAfter(last) },
    unit: days.unit,
    decimals,
    fromZero: true,
    series: [{ ...days, colour, ends: days.x.map(dayAfter) }],
  }
}

/** Sessions and energy by day. */
export const FleetCharts = ({ read }: { read: FleetRead }) => {
  const { data } = read
  const models = useMemo(
    () => ({ sessions: dayModel(data?.sessionsData[0], 4, 0), energy: dayModel(data?.energyData[0], 1, 1) }),
    [data],
  )
  const common = {
    query: read,
    height: 200,
    failed: t('The charge fleet could not be loaded.'),
    empty: t('Nothing was charged in these days'),
  }
  return (
    <div className={classes.charts}>
      <ChartPanel title={t('Sessions by day')} {...common} model={models.sessions} />
      <ChartPanel title={t('Energy by day')} note="(kWh)" {...common} model={models.energy} />
    </div>
  )
}
