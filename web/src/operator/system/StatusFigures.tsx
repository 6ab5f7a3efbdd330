import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, formatTime, zoneLabel } from '@gridmast/contract/time.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { systemStatus } from '@gridmast/contract/operator/system.ts'
import type { ReactNode } from 'react'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { Grid, Note } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { isEdge, stateOf } from './sources.ts'
import classes from './SystemOverview.module.css'

/** Counted once a minute; an older count means a busy store. */
const oldMs = 150_000

type Status = Data<typeof systemStatus>

const Card = ({ label, value, unit, note }: { label: string; value: string; unit?: string; note?: ReactNode }) => (
  <Panel label={label} style={{ minHeight: 108 }}>
    <Note size="label" className="gm-num">
      {label}
    </Note>
    <p className={classes.value}>
      {value}
      {unit && <span> {unit}</span>}
    </p>
    <Note size="label" className="gm-num">
      {note}
    </Note>
  </Panel>
)

export const StatusFigures = ({ status }: { status: Status | undefined }) => {
  const states = status?.sources.map(stateOf) ?? []
  const count = (state: string) => states.filter((one) => one === state).length
  const edges = status?.sources.filter(isEdge) ?? []
  const now = useNow(10_000)
  // Before the first count the answer has edges only.
  const isCounted = status !== undefined && status.countedAt !== null
  const countedMs = status?.countedAt ? Date.parse(status.countedAt) : null
  const updatedMs = status?.lastUpdated ? Date.parse(status.lastUpdated) : null
  return (
    <Grid columns={4} gap="cards">
      <Card
        label={t('Storage')}
        value={formatNumber(status?.storage, { decimals: 1 })}
        {...(status && status.storage !== null ? { unit: 'Mb' } : {})}
        note={
          status?.countedAt === null
            ? t('Being calculated')
            : countedMs !== null && now - countedMs > oldMs
              ? t('Counted at {{time}}', { time: formatTime(countedMs) })
              : t('Measured values')
        }
      />
      <Card
        label={t('Instances')}
        value={digits.count(status?.instanceCount)}
        note={
          edges.length > 0 &&
          t('on {{count}} edges, {{online}} reporting', {
            count: edges.length,
            online: edges.filter((edge) => stateOf(edge) === 'fresh').length,
          })
        }
      />
      <Card
        label={t('Sources')}
        value={isCounted ? `${count('fresh')}` : unknownText}
        {...(isCounted
          ? {
              unit: t('of {{total}} on time', { total: states.length }),
              note: t('{{stale}} stale · {{failed}} failed', { stale: count('stale'), failed: count('failed') }),
            }
          : { note: status && t('Being calculated') })}
      />
      <Card
        label={t('Last update')}
        value={updatedMs === null ? unknownText : formatTime(updatedMs)}
        {...(updatedMs === null ? {} : { unit: zoneLabel(updatedMs), note: formatDate(updatedMs) })}
      />
    </Grid>
  )
}
