import { Button } from '@mantine/core'
import { acknowledgeTriggered } from '@gridmast/contract/notifications/triggered.ts'
import { type Fault, findFaults } from '@gridmast/contract/notifications/faults.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { formatDate, formatTime, localDateOf, localTime, minuteMs, today } from '@gridmast/contract/time.ts'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useLiveAlerts, useLiveResume } from '#lib/live.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall, useDo } from '#lib/query.ts'
import { subjectOf, useCan, useUser } from '#lib/user.tsx'
import { Empty, LoadError, Waiting } from '#ui/Loaded.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { ageText, type Status, StatusDot, Tag } from '#ui/Tag.tsx'
import { Panel } from '#ui/Panel.tsx'
import { withUnit } from './alert-words.ts'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import classes from './faults.module.css'

const rereadMs = minuteMs
/** More would push the page down; the rest is in the dialog. */
const maxListed = { wide: 6, phone: 2 }

const faultsExport = fileOf(findFaults, { query: {} })

export const FaultsCard = () => {
  const mayRead = useCan('alert.read')
  const phone = usePhone()
  const listed = phone ? maxListed.phone : maxListed.wide
  const [isOpen, setOpen] = useState(false)
  const query = useCall(findFaults, { sent: { query: {} }, enabled: mayRead, refetchIntervalMs: rereadMs })
  useLiveAlerts(() => void query.refetch())
  useLiveResume(() => void query.refetch())
  if (!mayRead) return null
  const faults = query.data?.faults
  const faultCount = faults?.filter(({ kind }) => kind !== 'alert' && kind !== 'budget').length ?? 0
  return (
    <Panel
      title={t('Faults and alerts')}
      label={t('Faults and alerts')}
      badge={faultCount > 0 && <Tag kind="down">{t('{{count}} faults', { count: faultCount })}</Tag>}
      tools={
        <>
          {faults && faults.length > listed && (
            <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
              {t('View all {{n}}', { n: faults.length })}
            </Button>
          )}
          {!phone && <ExportButton small label={t('Download faults and alerts')} onExport={faultsExport} />}
        </>
      }
    >
      <LoadError query={query} title={t('Faults and alerts could not be loaded.')} />
      {query.isPending && <Waiting height={180} />}
      {faults && faults.length > 0 && <Lines faults={faults.slice(0, listed)} />}
      {faults?.length === 0 && (
        <Empty icon={<IconCircleCheck size={20} stroke={1.6} aria-hidden />} title={t('No faults and no alerts today')}>
          {t('Edges, chargers and meters report as expected.')}
        </Empty>
      )}
      <Dialog opened={isOpen} onClose={() => setOpen(false)} size={560} large title={t('Faults and alerts')}>
        {faults && <Lines faults={faults} />}
      </Dialog>
    </Panel>
  )
}

export const keyOf = (fault: Fault): string => {
  switch (fault.kind) {
    case 'charger':
      return `${fault.chargerId} ${fault.connectorId}`
    case 'slots':
      return `${fault.market} ${fault.instanceId}`
    case 'alert':
      return fault._id
    default:
      return `${fault.kind} ${'name' in fault ? fault.name : ''} ${fault.since}`
  }
}

const Lines = ({ faults }: { faults: readonly Fault[] }) => (
  <Stack as="ul">
    {faults.map((fault) => (
      <Line key={keyOf(fault)} fault={fault} />
    ))}
  </Stack>
)

type FaultText = { status: Status; title: string; about: string; link?: ((words: ReactNode) => ReactNode) | false }

const Line = ({ fault }: { fault: Fault }) => {
  const { status, title, about, link } = useFaultText(fault)
  const now = today(useNow(60_000))
  const since = fault.since === null ? null : Date.parse(fault.since)
  return (
    <Row as="li" gap={10} nowrap className={classes.fault}>
      <StatusDot status={status} />
      <Stack className={classes.words}>
        <b>{link ? link(title) : title}</b>
        <Text as="small" ink="ink3" size="label" className="gm-num">
          {about}
        </Text>
      </Stack>
      {fault.kind === 'alert' && <Acknowledge alert={fault} />}
      {since !== null && (
        <time dateTime={fault.since ?? ''} aria-label={t('Since')}>
          {localDateOf(since) === now ? formatTime(since).slice(0, 5) : formatDate(since).slice(0, 6)}
        </time>
      )}
    </Row>
  )
}

const Acknowledge = ({ alert }: { alert: Extract<Fault, { kind: 'alert' }> }) => {
  const mayAcknowledge = useCan('alert.edit')
  const acknowledge = useDo(acknowledgeTriggered)
  if (alert.isAcknowledged) return <Tag>{t('Acknowledged')}</Tag>
  return (
    mayAcknowledge && (
      <Button
        variant="default"
        size="compact-xs"
        loading={acknowledge.isPending}
        aria-label={t('Acknowledge {{name}}', { name: alert.name })}
        onClick={() => acknowledge.mutate({ params: { id: alert._id }, body: { comment: '', earlier: true } })}
      >
        {t('Acknowledge')}
      </Button>
    )
  )
}

export const useFaultText = (fault: Fault): FaultText => {
  const subject = subjectOf(useUser())
  const now = useNow(60_000)
  const opensApp = screenRefusal(subject, 'e3App') === null
  const joined = (...parts: (string | false | null)[]) => parts.filter(Boolean).join(' · ')
  switch (fault.kind) {
    case 'charger':
      return {
        status: 'failed',
        title: t('Charger {{name}} faulted', { name: fault.name }),
        about: joined(
          fault.connectorId > 0 && t('Connector {{n}}', { n: fault.connectorId }),
          fault.error !== 'NoError' && fault.error,
        ),
        link:
          opensApp &&
          ((words) => (
            <Link to="/e3-App/evCharging" search={{ chargerId: fault.chargerId }}>
              {words}
            </Link>
          )),
      }
    case 'edge':
      return fault.since === null
        ? {
            status: 'stale',
            title: t('Edge {{name}} never reported', { name: fault.name }),
            about: fault.instances.join(', '),
          }
        : {
            status: 'failed',
            title: t('Edge {{name}} not reporting', { name: fault.name }),
            about: joined(
              fault.instances.join(', '),
              t('last report {{age}}', { age: ageText(now - Date.parse(fault.since)) }),
            ),
          }
    case 'slots':
      return {
        status: fault.shortKw === null ? 'stale' : 'failed',
        title: fault.shortKw === null ? t('Expected capacity unknown') : t('Sold capacity at risk'),
        about: joined(
          `${fault.market} ${fault.instanceName}`,
          t('{{count}} slots from {{at}}', { count: fault.count, at: momentText(fault.start) }),
          fault.shortKw !== null && t('Short {{kw}}', { kw: format.kw(fault.shortKw) }),
        ),
        link: (words) => (
          <Link
            to="/demandResponse/$market"
            params={{ market: fault.market }}
            search={{ tab: 'soldCapacity', instance: fault.instanceId }}
          >
            {words}
          </Link>
        ),
      }
    case 'meters':
      return {
        status: 'stale',
        title: t('{{count}} meters without new readings', { count: fault.count }),
        about: joined(fault.names.join(', ') + (fault.count > fault.names.length ? ' …' : '')),
        link: (words) => <Link to="/insights/dataHub">{words}</Link>,
      }
    case 'budget':
      return {
        status: 'stale',
        title:
          fault.state === 'spent'
            ? t('Charging budget of {{name}} is spent', { name: fault.name })
            : t('Charging budget of {{name}} is nearly spent', { name: fault.name }),
        about: t('EV Charging'),
        link:
          opensApp &&
          ((words) => (
            <Link
              to="/e3-App/evCharging"
              search={{ tab: 'tag' as const, ...(fault.scope === 'group' ? { subTab: 'group' as const } : {}) }}
            >
              {words}
            </Link>
          )),
      }
    case 'alert':
      return {
        status: fault.isAcknowledged ? 'off' : 'stale',
        title: fault.name,
        about: joined(
          fault.instanceName,
          fault.criteria === 'gt'
            ? t('{{value}}, above {{limit}}', alertFigures(fault))
            : t('{{value}}, below {{limit}}', alertFigures(fault)),
          fault.count > 1 && t('{{count}} times today', { count: fault.count }),
        ),
        link:
          opensApp &&
          ((words) => (
            <Link to="/e3-Legacy/$source" params={{ source: fault.source }} search={{ trigger: fault._id }}>
              {words}
            </Link>
          )),
      }
  }
}

const alertFigures = ({ value, threshold, type }: Extract<Fault, { kind: 'alert' }>) => ({
  value: withUnit(Math.round(value * 10) / 10, type),
  limit: withUnit(threshold, type),
})

const momentText = (iso: string): string => `${formatDate(Date.parse(iso)).slice(0, 6)} ${localTime(Date.parse(iso))}`
