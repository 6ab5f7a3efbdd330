import type { PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { localTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { carbonColour } from '#ui/theme/tokens.ts'
import { shortTime } from './plan-words.ts'
import classes from './load-shifting.module.css'

const ticks = { wide: 8, phone: 4 }
/** Beyond a day a mark says its day too, and is longer. */
const ticksOfDays = { wide: 6, phone: 3 }
const quartersOfDay = 100

/** The grid's emission over the plan as a strip of colours, with numbers below. */
export const Emission = ({ quarters }: Pick<PlanDetail, 'quarters'>) => {
  const phone = usePhone()
  const known = quarters.flatMap(({ gCo2PerKwh }) => gCo2PerKwh ?? [])
  if (known.length === 0) return <p className={classes.quiet}>{t('No prognosis reaches these hours.')}</p>
  const isOfDays = quarters.length > quartersOfDay
  const { wide, phone: few } = isOfDays ? ticksOfDays : ticks
  const every = Math.max(1, Math.ceil(quarters.length / (phone ? few : wide)))
  // Each stands below its own quarters; the rest at the end may be too short for its words.
  const marks = quarters.flatMap((quarter, q) => (q % every === 0 ? [{ ...quarter, count: quarters.length - q }] : []))
  const figure = (value: number | null) => formatNumber(value, { decimals: 0 })
  return (
    <>
      <div
        className={classes.strip}
        role="img"
        aria-label={t('Emission between {{low}} and {{high}} g/kWh', {
          low: figure(Math.min(...known)),
          high: figure(Math.max(...known)),
        })}
      >
        {quarters.map(({ fromMs, gCo2PerKwh }) => (
          <i key={fromMs} style={gCo2PerKwh === null ? {} : { background: carbonColour(gCo2PerKwh) }} />
        ))}
      </div>
      <div className={classes.ticks}>
        {marks.map(({ fromMs, gCo2PerKwh, count }) => (
          <span key={fromMs} style={{ flex: Math.min(count, every) }}>
            {count * 2 > every && (
              <>
                {isOfDays ? shortTime(fromMs) : localTime(fromMs)} <b>{figure(gCo2PerKwh)}</b>
              </>
            )}
          </span>
        ))}
      </div>
    </>
  )
}
