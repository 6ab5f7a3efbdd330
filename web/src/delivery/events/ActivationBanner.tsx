import type { RunningActivation } from '@gridmast/contract/delivery/events.ts'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { Link } from '@tanstack/react-router'
import { minutesAndSeconds } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { Tag } from '#ui/Tag.tsx'
import { Direction } from './cells.tsx'
import { useRunning } from './useRunning.ts'
import classes from './banner.module.css'

/** More than these would cover too much of the page. */
const mostShown = { wide: 3, phone: 1 }

/** Says that equipment is being activated now: what is required, what is delivered, and the score so far. Nothing while nothing runs. */
export const ActivationBanner = ({ market }: { market?: string }) => {
  const running = useRunning(market)
  const most = usePhone() ? mostShown.phone : mostShown.wide
  const names = running.map((one) => `${one.market} ${one.instanceName}`).join(', ')
  return (
    <>
      {running.length > 0 && (
        <section className={classes.banner} aria-label={t('Activation in progress')}>
          <ul>
            {running.slice(0, most).map((one) => (
              <Row key={one._id} activation={one} linked={market === undefined} />
            ))}
          </ul>
          {running.length > most && <p>{t('and {{n}} more', { n: running.length - most })}</p>}
        </section>
      )}
      {/* Heard when one begins or ends, not each second. */}
      <p className="gm-hidden" role="status">
        {running.length > 0 && t('Activation in progress: {{names}}', { names })}
      </p>
    </>
  )
}

const kw = (value: number | null) => (
  <>
    {formatNumber(value, { decimals: 1 })}
    {value !== null && <small> kW</small>}
  </>
)

const Row = ({ activation, linked }: { activation: RunningActivation; linked: boolean }) => {
  const { market, instanceId, instanceName, direction, seconds, requiredKw, deliveredKw, score, simulated } = activation
  const title = (
    <>
      {market} · {instanceName}
    </>
  )
  return (
    <li>
      <span className={classes.what}>
        <i className={classes.dot} aria-hidden />
        <b>{requiredKw === 0 ? t('Activation ending') : t('Activation in progress')}</b>
        {linked ? (
          <Link
            to="/demandResponse/$market"
            params={{ market }}
            search={{ instance: instanceId }}
            className={classes.link}
          >
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        <Direction direction={direction} />
        {simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
      </span>
      <span className={classes.figure}>
        {t('Required')} <b>{kw(requiredKw)}</b>
      </span>
      <span className={classes.figure}>
        {t('Delivered')} <b>{kw(deliveredKw)}</b>
      </span>
      <span className={classes.figure}>
        {t('Score so far')} <b>{score === null ? unknownText : formatNumber(score, { decimals: 1 })}</b>
      </span>
      <span className={classes.figure}>
        {t('Duration')} <b>{minutesAndSeconds(Math.floor(seconds))}</b>
      </span>
    </li>
  )
}
