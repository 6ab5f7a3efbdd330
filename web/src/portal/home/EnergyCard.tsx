import {
  energyNow,
  energyPicture,
  energyStaleMs,
  simulatedEnergy,
  type EnergyNode,
  type EnergyPicture as Picture,
  type EnergyReserve,
} from '@gridmast/contract/grid/energy-now.ts'
import type { Data } from '@gridmast/contract/call.ts'
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconArrowRight,
  IconBatteryCharging2,
  IconBuildingFactory2,
  IconChargingPile,
  IconBolt,
  type Icon,
} from '@tabler/icons-react'
import { useThrottledCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { digits, format, simulatedWords } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { type LiveValues, useLive, useLiveChargers, useLiveResume } from '#lib/live.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Empty, LoadError, Waiting } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { ageText, Tag } from '#ui/Tag.tsx'
import classes from './energy.module.css'

type Now = Data<typeof energyNow>
type Newest = { kw: number; atMs: number }

/** Live values replace answered ones; a stream names at most 50 instances, more are only read again. */
const maxLive = 50
const rereadMs = { live: 30_000, read: 10_000 }
/** A fleet that reconnects notifies of many chargers at once. */
const rereadAtMostMs = 3000

const LivePower = ({ instanceId, onPower }: { instanceId: string; onPower: (newest: Newest) => void }) => {
  useLive(instanceId, 'power', ({ x, y }: LiveValues) => {
    const last = y.findLastIndex((kw) => kw !== null)
    const [kw, atMs] = [y[last], x[last]]
    if (typeof kw === 'number' && atMs !== undefined) onPower({ kw, atMs })
  })
  return null
}

/** The answer with newer values of the live stream. */
const withNewest = (now: Now, newest: ReadonlyMap<string, Newest>): Now => ({
  ...now,
  instances: now.instances.map((one) => {
    const live = newest.get(one._id)
    return live && live.atMs > Date.parse(one.lastReported)
      ? { ...one, kw: live.kw, lastReported: new Date(live.atMs).toISOString() }
      : one
  }),
})

export const useEnergy = () => {
  const [newest, setNewest] = useState<ReadonlyMap<string, Newest>>(new Map())
  const query = useCall(energyNow, {
    sent: { query: {} },
    refetchIntervalMs: (now) => (now && now.instances.length > maxLive ? rereadMs.read : rereadMs.live),
  })
  const { data } = query
  const nowMs = useNow(10_000)
  const reread = useThrottledCallback(() => void query.refetch(), rereadAtMostMs)
  useLiveChargers(reread)
  useLiveResume(reread)
  const listeners =
    data &&
    data.instances.length <= maxLive &&
    data.instances.map(({ _id }) => (
      <LivePower
        key={_id}
        instanceId={_id}
        onPower={(power) => setNewest((before) => new Map(before).set(_id, power))}
      />
    ))
  const now = data && withNewest(data, newest)
  return { query, now, picture: now && energyPicture(now, nowMs), listeners }
}

const idleKw = 0.05

type Look = { icon: Icon; title: () => string; taking: () => string; giving: () => string }
export const looks: Record<'grid' | EnergyNode['part'], Look> = {
  grid: {
    icon: IconBolt,
    title: () => t('Grid'),
    taking: () => t('From the grid'),
    giving: () => t('To the grid'),
  },
  site: {
    icon: IconBuildingFactory2,
    title: () => t('Site'),
    taking: () => t('Consumption'),
    giving: () => t('Production'),
  },
  battery: {
    icon: IconBatteryCharging2,
    title: () => t('Battery'),
    taking: () => t('Charges'),
    giving: () => t('Discharges'),
  },
  chargers: {
    icon: IconChargingPile,
    title: () => t('Chargers'),
    taking: () => t('Consumption'),
    giving: () => t('Discharges'),
  },
}

export const stateOf = (part: keyof typeof looks, kw: number | null): string => {
  if (kw === null) return t('Unknown')
  if (Math.abs(kw) < idleKw) return t('No power')
  return kw > 0 ? looks[part].taking() : looks[part].giving()
}

type NodeProps = { part: keyof typeof looks; kw: number | null; ageMs: number; notes: (string | false)[] }

/** Power without sign: its direction is a word and an arrow. */
const Node = ({ part, kw, ageMs, notes }: NodeProps) => {
  const { icon: PartIcon, title } = looks[part]
  const isFlowing = kw !== null && Math.abs(kw) >= idleKw
  const Arrow = (kw ?? 0) > 0 ? IconArrowRight : IconArrowLeft
  const isStale = kw !== null && ageMs > energyStaleMs
  const state = [stateOf(part, kw), isStale && `${t('Stale')}, ${ageText(ageMs)}`, ...notes].filter(Boolean)
  return (
    <div className={classes.node} data-part={part} data-unknown={kw === null || undefined}>
      <PartIcon size={22} stroke={1.6} aria-hidden />
      <div className={classes.words}>
        <span className={classes.title}>{title()}</span>
        <span className={classes.state} data-tip={state.join(' · ')}>
          {state.join(' · ')}
        </span>
      </div>
      <div className={classes.kw} data-stale={isStale || undefined}>
        {isFlowing && <Arrow size={16} stroke={2} aria-hidden />}
        {digits.kw(kw === null ? null : Math.abs(kw))}
        {kw !== null && <small>kW</small>}
      </div>
    </div>
  )
}

const rowHeight = 60
const gap = 8
const middleOf = (row: number) => row * (rowHeight + gap) + rowHeight / 2

/** Lines from the grid to each part: width by power, dashes that move with the flow. */
const Flows = ({ nodes, gridKw }: Picture) => {
  const height = nodes.length * (rowHeight + gap) - gap
  const middle = height / 2
  const most = Math.max(1, ...[gridKw ?? 0, ...nodes.map(({ kw }) => kw ?? 0)].map(Math.abs))
  const line = (key: string, path: string, kw: number | null) => {
    const isFlowing = kw !== null && Math.abs(kw) >= idleKw
    const width = isFlowing ? 2 + 5 * Math.sqrt(Math.abs(kw) / most) : 2
    return (
      <g key={key}>
        <path d={path} className={classes.line} data-unknown={kw === null || undefined} strokeWidth={width} />
        {isFlowing && <path d={path} className={classes.flow} data-back={kw < 0 || undefined} strokeWidth={width} />}
      </g>
    )
  }
  return (
    <svg
      className={classes.flows}
      style={{ height }}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {line('grid', `M0 ${middle} H40`, gridKw)}
      {nodes.map(({ part, kw }, row) =>
        line(part, `M40 ${middle} C70 ${middle} 70 ${middleOf(row)} 100 ${middleOf(row)}`, kw),
      )}
    </svg>
  )
}

const Reserve = ({ reserve: { direction, soldKw, heldKw, silent } }: { reserve: EnergyReserve }) => {
  const shortKw = soldKw - heldKw
  return (
    <li>
      <div className={classes.reserveHead}>
        <b>{direction === 'up' ? t('Up-regulation') : t('Down-regulation')}</b>
        {shortKw >= idleKw && (
          <Tag kind="down" icon={<IconAlertTriangle stroke={2} aria-hidden />}>
            {t('Short {{kw}}', { kw: format.kw(shortKw) })}
          </Tag>
        )}
      </div>
      <div className={classes.bar} aria-hidden>
        <i style={{ width: `${soldKw > 0 ? Math.min(100, (heldKw / soldKw) * 100) : 0}%` }} />
      </div>
      <div className={classes.amounts}>
        <span>
          {t('Held')} <b>{format.kw(heldKw)}</b>
        </span>
        <span>
          {t('Sold')} <b>{format.kw(soldKw)}</b>
        </span>
      </div>
      {silent > 0 && (
        <div className={classes.state}>{t('{{count}} instances without a report', { count: silent })}</div>
      )}
    </li>
  )
}

const notesOf = ({ part, silent, names }: EnergyNode, { soc, chargers }: Now): (string | false)[] => [
  part === 'battery' && soc !== null && t('{{percent}} charged', { percent: format.wholePercent(soc) }),
  part === 'chargers' && chargers !== null && t('{{n}} charging', { n: chargers.charging }),
  silent > 0 &&
    (names.length > 0 ? t('No report: {{names}}', { names: names.join(', ') }) : t('{{n}} unknown', { n: silent })),
]

const EnergyPicture = ({ now, picture }: { now: Now; picture: Picture }) => {
  const { nodes, gridKw, silent, ageMs } = picture
  if (nodes.length === 0)
    return (
      <Empty title={t('No power reported yet')}>{t('The picture appears with the first report of an instance.')}</Empty>
    )
  return (
    <div className={classes.picture}>
      <div className={classes.network}>
        <Node part="grid" kw={gridKw} ageMs={ageMs} notes={[silent > 0 ? t('Incomplete') : t('Calculated')]} />
        <Flows {...picture} />
        <ul className={classes.parts}>
          {nodes.map((node) => (
            <li key={node.part}>
              <Node part={node.part} kw={node.kw} ageMs={node.ageMs} notes={notesOf(node, now)} />
            </li>
          ))}
        </ul>
      </div>
      {now.reserve && (
        <section className={classes.reserve} aria-label={t('Reserve now')}>
          <h3>{t('Reserve now')}</h3>
          {now.reserve.length === 0 && <p className={classes.state}>{t('Nothing is sold in this slot.')}</p>}
          <ul>
            {now.reserve.map((one) => (
              <Reserve key={one.direction} reserve={one} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const energyExport = fileOf(energyNow, { query: {} })

export const EnergyCard = () => {
  const { query, now, picture, listeners } = useEnergy()
  const phone = usePhone()
  const simulated = now && simulatedEnergy(now)
  return (
    <Panel
      title={t('Energy now')}
      note="(kW)"
      label={t('Energy now')}
      help="energyNow"
      badge={simulated && <Tag kind="outline">{simulatedWords(simulated)}</Tag>}
      tools={!phone && <ExportButton small label={t('Download the current power')} onExport={energyExport} />}
    >
      {listeners}
      <LoadError query={query} title={t('The energy picture could not be loaded.')} />
      <div className={classes.room}>
        {now && picture && <EnergyPicture now={now} picture={picture} />}
        {query.isPending && <Waiting height={phone ? 424 : 196} />}
      </div>
    </Panel>
  )
}
