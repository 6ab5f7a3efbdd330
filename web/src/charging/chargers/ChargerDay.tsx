import { type Charger, chargerOverview } from '@gridmast/contract/charging/ev-charging.ts'
import { type LocalDate, today } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { Figure } from '#ui/Figure.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Note } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { consumptionModel, powerModel, socModel, totalOf } from './charger-day.ts'
import classes from './ev-charging.module.css'

const rereadMs = 60_000

type Props = {
  charger: Charger
  connectorId: number
  date: LocalDate
  onConnector: (connectorId: number) => void
  onDate: (date: LocalDate) => void
}

/** A day of one connector: power, consumption and state of charge, each with its file. */
export const ChargerDay = ({ charger, connectorId, date, onConnector, onDate }: Props) => {
  const newestDay = today(useNow(60_000))
  const isToday = date === newestDay
  const query = useCall(chargerOverview, {
    sent: { query: { chargerId: charger._id, connectorId, date } },
    ...(isToday ? { refetchIntervalMs: rereadMs } : {}),
  })
  const { data } = query
  const { maxKw } = charger.meta
  const models = useMemo(
    () =>
      data && {
        power: powerModel(data, { date, isToday, limit: { name: t('Limit'), kw: maxKw } }),
        consumption: consumptionModel(data, date),
        soc: socModel(data, { date, isToday }),
      },
    [data, date, isToday, maxKw],
  )
  const common = {
    query,
    reported: {},
    failed: t('The day of this connector could not be loaded.'),
    empty: t('Nothing was charged on this day'),
    hint: t('Choose another day or connector.'),
  }
  const save = (chart: 'power' | 'consumption' | 'soc') =>
    fileOf(chargerOverview, { query: { chargerId: charger._id, connectorId, date, chart } })
  return (
    <>
      <FilterRow label={t('Connector and day')} onSubmit={() => {}}>
        {charger.connectors.length > 1 && (
          <Segments
            label={t('Connector')}
            value={String(connectorId)}
            onChange={(next) => onConnector(Number(next))}
            data={charger.connectors.map((one) => ({
              value: String(one.connectorId),
              label: t('Connector {{n}}', { n: one.connectorId }),
            }))}
          />
        )}
        <DaySteps value={date} max={newestDay} onChange={onDate}>
          <DateField label={t('Date')} value={date} max={newestDay} onChange={onDate} />
        </DaySteps>
      </FilterRow>
      <ChartPanel
        title={t('Power')}
        note="(kW)"
        height={240}
        {...common}
        model={models?.power ?? null}
        legend={
          models &&
          models.power.series.length > 1 &&
          models.power.series.map(({ name, colour }) => ({ name: translateText(name), colour, line: true }))
        }
        footRight={
          data?.powerData.some(({ kind, y }) => kind === 'step' && y.some((kw) => kw !== null)) &&
          t('From the energy register, by quarter of an hour')
        }
        onDownload={save('power')}
      />
      <div className={classes.pair}>
        <ChartPanel
          title={t('Consumption')}
          note="(kWh)"
          height={170}
          {...common}
          model={models?.consumption ?? null}
          figures={<Figure label={t('On this day')} value={data ? totalOf(data) : null} unit="kWh" />}
          onDownload={save('consumption')}
        />
        <ChartPanel
          title={t('State of charge')}
          note="(%)"
          height={170}
          {...common}
          model={models?.soc ?? null}
          figures={
            data?.SocData.length === 0 ? (
              <Note size="body" wholeLine>
                {t('Not reported')}
              </Note>
            ) : (
              <Figure
                label={t('Latest')}
                value={data?.SocData[0]?.y.findLast((one) => one !== null)}
                decimals={0}
                unit="%"
              />
            )
          }
          empty={t('Not reported')}
          hint={t('This charger does not say how full the battery of the car is.')}
          onDownload={save('soc')}
        />
      </div>
    </>
  )
}
