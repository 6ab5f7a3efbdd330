import { minutesAndSeconds } from '#lib/clock.ts'
import {
  type LiveActivation,
  type RunningActivation,
  dashboardEvents,
  eventDataLog,
  findEvents,
  runningEvents,
} from '@gridmast/contract/delivery/events.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { Link } from '@tanstack/react-router'
import { useLiveActivations, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { Tag } from '#ui/Tag.tsx'
import { Note, Row, Stack } from '#ui/Layout.tsx'
import classes from './banner.module.css'
import { Direction } from './cells.tsx'

/** Also removes activations that ended while the stream was interrupted. */
const rereadMs = minuteMs

type Received = { activation: LiveActivation; atMs: number }

export const useRunning = (market?: string): RunningActivation[] => {
  const queries = useQueryClient()
  const query = useCall(runningEvents, { sent: { query: market ? { market } : {} }, refetchIntervalMs: rereadMs })
  const [received, setReceived] = useState<Readonly<Record<string, Received>>>({})
  useLiveActivations((activation) => {
    if (market !== undefined && activation.market !== market) return
    // oxlint-disable-next-line gridmast/one-clock -- compared with `dataUpdatedAt`
    const atMs = Date.now()
    setReceived((before) => ({ ...before, [activation._id]: { activation, atMs } }))
    if (activation.ended)
      for (const { path } of [findEvents, dashboardEvents, eventDataLog])
        void queries.invalidateQueries({ queryKey: [path] })
  })
  useLiveResume(() => void query.refetch())

  const running = new Map((query.data?.running ?? []).map((one): [string, RunningActivation] => [one._id, one]))
  for (const { activation, atMs } of Object.values(received)) {
    if (atMs < query.dataUpdatedAt) continue
    if (activation.ended) running.delete(activation._id)
    else running.set(activation._id, activation)
  }
  return [...running.values()].toSorted((a, b) => a.startTime.localeCompare(b.startTime))
}

/** More than these would cover too much of the page. */
const maxListed = { wide: 3, phone: 1 }

export const ActivationBanner = ({ market }: { market?: string }) => {
  const running = useRunning(market)
  const listed = usePhone() ? maxListed.phone : maxListed.wide
  const names = running.map((one) => `${one.market} ${one.instanceName}`).join(', ')
  return (
    <>
      {running.length > 0 && (
        <section className={classes.banner} aria-label={t('Activation in progress')}>
          <Stack as="ul">
            {running.slice(0, listed).map((one) => (
              <Running key={one._id} activation={one} linked={market === undefined} />
            ))}
          </Stack>
          {running.length > listed && (
            <Note ink="ink2" below={6}>
              {t('and {{n}} more', { n: running.length - listed })}
            </Note>
          )}
        </section>
      )}
      {/* Announced at the start and end, not each second. */}
      <p className="gm-hidden" role="status">
        {running.length > 0 && t('Activation in progress: {{names}}', { names })}
      </p>
    </>
  )
}

const kw = (value: number | null) => (
  <>
    {digits.kw(value)}
    {value !== null && <small> kW</small>}
  </>
)

const Running = ({ activation, linked }: { activation: RunningActivation; linked: boolean }) => {
  const { market, instanceId, instanceName, direction, seconds, requiredKw, deliveredKw, score, simulated } = activation
  const title = (
    <>
      {market} · {instanceName}
    </>
  )
  return (
    <li>
      <Row as="span" gap={12} rowGap={2} className={classes.what}>
        <i className={classes.dot} aria-hidden />
        <b>{requiredKw === 0 ? t('Activation ending') : t('Activation in progress')}</b>
        {linked ? (
          <Link to="/demandResponse/$market" params={{ market }} search={{ instance: instanceId }} className="gm-link">
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        <Direction direction={direction} />
        {simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
      </Row>
      <span className={classes.figure}>
        {t('Required')} <b>{kw(requiredKw)}</b>
      </span>
      <span className={classes.figure}>
        {t('Delivered')} <b>{kw(deliveredKw)}</b>
      </span>
      <span className={classes.figure}>
        {t('Score so far')} <b>{score === null ? unknownText : digits.score(score)}</b>
      </span>
      <span className={classes.figure}>
        {t('Duration')} <b>{minutesAndSeconds(Math.floor(seconds))}</b>
      </span>
    </li>
  )
}
