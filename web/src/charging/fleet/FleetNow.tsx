import { Skeleton } from '@mantine/core'
import type { ChargingSums } from '@gridmast/contract/charging/charging-costs.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { simulatedWords } from '#lib/format.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { ConnectorState, chargerStates, stateOf } from '#ui/ConnectorState.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './charge-fleet.module.css'
import { isKnownInPart, knownSum } from './costs-known.ts'
import type { FleetRead } from './fleet-read.ts'

const gramsPerKwh = (costs: ChargingSums | undefined) => {
  const kwh = (costs?.kwh ?? 0) - (costs?.kwhWithoutCo2 ?? 0)
  return costs && kwh > 0 ? (costs.kgCo2 * 1000) / kwh : null
}

/** How many chargers are in which state, and what was charged today and this month. */
export const FleetNow = ({ read }: { read: FleetRead }) => {
  const { data } = read
  const costs = data?.costs
  const isPartial = costs !== undefined && isKnownInPart(costs)
  const states = Map.groupBy(data?.chargers ?? [], stateOf)
  const figures = [
    { label: t('Sessions now'), value: data?.running, decimals: 0 },
    { label: t('Sessions today'), value: data?.today.sessions, decimals: 0 },
    { label: t('Energy today'), value: data?.today.energyKwh, decimals: 1, unit: 'kWh' },
    { label: t('Sessions this month'), value: data?.month.sessions, decimals: 0 },
    { label: t('Energy this month'), value: data?.month.energyKwh, decimals: 1, unit: 'kWh' },
    {
      label: isPartial ? t('Cost this month, known in part') : t('Cost this month'),
      value: costs && knownSum(costs, costs.dkk),
      decimals: 0,
      unit: 'DKK',
    },
    { label: t('Income this month'), value: costs && knownSum(costs, costs.driverDkk), decimals: 0, unit: 'DKK' },
    {
      label: isPartial ? t('Margin this month, known in part') : t('Margin this month'),
      value: costs?.marginDkk,
      decimals: 0,
      unit: 'DKK',
    },
    { label: t('CO₂ per kWh'), value: gramsPerKwh(costs), decimals: 0, unit: 'g' },
  ]
  const uncounted = Math.max(costs?.kwhWithoutCost ?? 0, costs?.kwhWithoutCo2 ?? 0)
  return (
    <Panel
      title={t('Chargers')}
      note={data && <span className="gm-num">{data.chargers.length}</span>}
      label={t('Chargers')}
      badge={data?.simulated && <Tag kind="outline">{simulatedWords(data.simulated)}</Tag>}
      figures={
        <div className={classes.figures}>
          {figures.map((one) => (
            <Figure key={one.label} {...one} />
          ))}
        </div>
      }
    >
      <LoadError query={read} title={t('The charge fleet could not be loaded.')} />
      {read.isPending && (
        <>
          <Skeleton className={classes.waiting ?? ''} width={300} maw="100%" animate={false} />
          <span role="status" aria-label={t('Loading')} />
        </>
      )}
      <div className={classes.notes}>
        {uncounted > 0 && (
          <p className="gm-meta">
            {t('{{kwh}} kWh of this month have no cost or emission yet.', {
              kwh: formatNumber(uncounted, { decimals: 1 }),
            })}
          </p>
        )}
        {data && data.uncounted.doubted.sessions > 0 && (
          <p className="gm-meta">
            {t('Sessions with energy to confirm this month, not in the totals: {{n}} ({{kwh}} kWh).', {
              n: data.uncounted.doubted.sessions,
              kwh: formatNumber(data.uncounted.doubted.kwh, { decimals: 1 }),
            })}
          </p>
        )}
        {data && data.uncounted.refused.sessions > 0 && (
          <p className="gm-meta">
            {t('Refused sessions that charged this month, not in the totals: {{n}} ({{kwh}} kWh).', {
              n: data.uncounted.refused.sessions,
              kwh: formatNumber(data.uncounted.refused.kwh, { decimals: 1 }),
            })}
          </p>
        )}
      </div>
      {data && (
        <ul className={classes.states} aria-label={t('Chargers by state')}>
          {chargerStates.flatMap((state) => {
            const count = states.get(state)?.length ?? 0
            return count === 0
              ? []
              : [
                  <li key={state}>
                    <b className="gm-num">{count}</b> <ConnectorState state={state} />
                  </li>,
                ]
          })}
          {data.chargers.length === 0 && <li>{t('Your company has no chargers yet.')}</li>}
        </ul>
      )}
    </Panel>
  )
}
