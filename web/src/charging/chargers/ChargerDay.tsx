import { type Charger, chargerOverview } from '@gridmast/contract/charging/ev-charging.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { type LocalDate, today } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel, Legend } from '#ui/Chart/ChartPanel.tsx'
import { usePalette } from '#ui/Chart/palette.ts'
import { useReading } from '#ui/Chart/reading.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { Figure } from '#ui/Figure.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { LastReported } from '#ui/LastReported.tsx'
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
  const palette = usePalette()
  const newestDay = today(useNow(60_000))
  const isToday = date === newestDay
  const query = useCall(chargerOverview, {
    sent: { query: { chargerId: charger._id, connectorId, date } },
    ...(isToday ? { refetchIntervalMs: rereadMs } : {}),
  })
  const { data } = query
  const reading = useReading(query)
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
    reading,
    simulated: data?.simulated,
    failed: t('The day of this connector could not be loaded.'),
  }
  const save = (chart: 'power' | 'consumption' | 'soc') => (format: FileFormat) =>
    void downloadCall(
      chargerOverview,
      { query: { chargerId: charger._id, connectorId, date, format, chart } },
      `${charger.name} ${chart} ${date}.${format}`,
    )
  const reported = <LastReported at={data?.lastReported ? Date.parse(data.lastReported) : null} />
  const none = (
    <>
      <b>{t('Nothing was charged on this day')}</b>
      <span>{t('Choose another day or connector.')}</span>
    </>
  )
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
          models.power.series.length > 1 && (
            <Legend
              keys={models.power.series.map(({ name, colour }) => ({
                name: translateText(name),
                color: palette.data(colour),
                line: true,
              }))}
            />
          )
        }
        empty={none}
        foot={reported}
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
          empty={none}
          foot={reported}
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
          empty={
            <>
              <b>{t('Not reported')}</b>
              <span>{t('This charger does not say how full the battery of the car is.')}</span>
            </>
          }
          foot={reported}
          onDownload={save('soc')}
        />
      </div>
    </>
  )
}
