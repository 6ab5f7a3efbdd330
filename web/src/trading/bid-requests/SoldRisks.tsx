import { Button } from '@mantine/core'
import type { SoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { formatDate, localDateOf, localSpan, localTime } from '@gridmast/contract/time.ts'
import { IconChevronDown, IconChevronUp, IconPhone } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './bid-requests.module.css'
import { groupRisks, type RiskGroup, type RiskLine } from './risk-groups.ts'

const dayText = (text: string) => formatDate(Date.parse(text)).slice(0, 6)

const whenText = ({ start, end }: Pick<RiskLine, 'start' | 'end'>) => {
  const [fromMs, toMs] = [Date.parse(start), Date.parse(end)]
  // Midnight belongs to the previous day.
  if (localDateOf(fromMs) === localDateOf(toMs - 1)) return `${dayText(start)} ${localSpan(fromMs, toMs)}`
  return `${dayText(start)} ${localTime(fromMs)}–${dayText(end)} ${localTime(toMs)}`
}

const spareText = (spare: RiskGroup['spare']) =>
  spare.map((one) => `${one.groupName} (${format.trimmedKw(one.kw)})`).join(', ')

const keyOf = ({ groupId, product, state }: RiskGroup) => `${groupId} ${product} ${state}`

type Opening = { opened: readonly string[]; onToggle: (key: string) => void }

const useColumns = (market: string, { opened, onToggle }: Opening): Columns<RiskGroup> => {
  const what = ({ groupName, product }: RiskGroup) => (product === market ? groupName : `${groupName} · ${product}`)
  const span = ({ slots }: RiskGroup) => {
    const [first, last] = [slots[0], slots.at(-1)]
    return first && last ? whenText({ start: first.start, end: last.end }) : ''
  }
  return [
    column.cell('instance', t('Instance'), what, { card: 'lead' }),
    column.cell('time', t('Time'), span, { card: 'plain', digits: true }),
    column.number('slots', t('Slots'), ({ slots }) => slots.length),
    column.figure('sold', t('Sold (kW)'), ({ soldKw: { least, most } }) =>
      least === most ? digits.trimmedKw(most) : `${digits.trimmedKw(least)}–${digits.trimmedKw(most)}`,
    ),
    column.figure('short', t('Missing at most (kW)'), ({ shortKw }) => digits.trimmedKw(shortKw)),
    column.figure('loss', t('Possible loss (EUR)'), ({ lossEur, atStakeEur }) =>
      lossEur === null ? '–' : t('{{lost}} of {{all}}', { lost: digits.eur(lossEur), all: digits.eur(atStakeEur) }),
    ),
    column.text('spare', t('Spare capacity'), ({ spare }) => spareText(spare) || '–'),
    column.cell(
      'state',
      t('Status'),
      ({ state }) =>
        state === 'short' ? <Tag kind="warn">{t('At risk')}</Tag> : <Tag kind="outline">{t('Unknown')}</Tag>,
      { card: 'corner' },
    ),
    column.figure(
      'action',
      t('Actions'),
      (group) => {
        const isOpen = opened.includes(keyOf(group))
        const Icon = isOpen ? IconChevronUp : IconChevronDown
        return (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={isOpen}
            aria-label={t('Slots of {{name}}', { name: what(group) })}
            rightSection={<Icon size={14} stroke={1.8} aria-hidden />}
            onClick={() => onToggle(keyOf(group))}
          >
            {t('Slots')}
          </Button>
        )
      },
      { card: 'actions' },
    ),
  ]
}

const Lines = ({ group }: { group: RiskGroup }) => {
  const { lines, spare } = group
  return (
    <Stack as="ul" gap={4} ink="ink2" className={classes.riskLines}>
      {lines.map((line) => {
        const [slot] = line.slots
        if (!slot) return null
        const spareOfSlot = slot.spare.filter(({ groupName }) => !spare.some((one) => one.groupName === groupName))
        return (
          <li key={line.start}>
            <Row gap={16} rowGap={2}>
              <Text as="b" weight="medium" className="gm-num" style={{ minWidth: 132 }}>
                {whenText(line)}
              </Text>
              <span>{t('{{kw}} kW sold', { kw: digits.trimmedKw(slot.soldKw) })}</span>
              {slot.expectedKw === null ? (
                <span>{t('expected capacity unknown')}</span>
              ) : (
                <span>
                  {t('{{kw}} ± {{error}} kW expected', {
                    kw: digits.trimmedKw(slot.expectedKw),
                    error: digits.trimmedKw(slot.usualErrorKw),
                  })}
                </span>
              )}
              {slot.shortKw !== null && <span>{t('{{kw}} kW missing', { kw: digits.trimmedKw(slot.shortKw) })}</span>}
              {slot.lossEur !== null && (
                <span>
                  {t('possible loss {{lost}} of {{all}} EUR', {
                    lost: digits.eur(slot.lossEur),
                    all: digits.eur(slot.atStakeEur),
                  })}
                </span>
              )}
              {spareOfSlot.length > 0 && (
                <span>{t('spare capacity: {{names}}', { names: spareText(spareOfSlot) })}</span>
              )}
            </Row>
          </li>
        )
      })}
    </Stack>
  )
}

const RiskTable = ({ market, risks }: { market: string; risks: SoldRisks['risks'] }) => {
  const groups = useMemo(() => groupRisks(risks), [risks])
  const [opened, setOpened] = useState<readonly string[]>([])
  const onToggle = (key: string) =>
    setOpened(opened.includes(key) ? opened.filter((one) => one !== key) : [...opened, key])
  return (
    <DataTable
      label={t('Slots at risk')}
      dense
      columns={useColumns(market, { opened, onToggle })}
      rows={groups}
      rowKey={keyOf}
      renderBelow={(group) => opened.includes(keyOf(group)) && <Lines group={group} />}
    />
  )
}

export const SoldRisksPanel = ({ market, data }: { market: string; data: SoldRisks }) => {
  const { risks, soldCount, unknownCount, support } = data
  if (soldCount === 0 && risks.length === 0) return null
  const [first] = risks
  const expected = soldCount - unknownCount
  return (
    <Panel title={t('Slots at risk')} label={t('Slots at risk')} help="risks">
      {first ? (
        <>
          <Row as="p" gap={8} nowrap align="start" below={12}>
            <IconPhone size={16} stroke={1.8} style={{ marginTop: 2 }} aria-hidden />
            <span>
              {t('Fix by {{at}}: restore the capacity or call', {
                at: `${dayText(first.start)} ${localTime(Date.parse(first.start))}`,
              })}{' '}
              <b>{support.name}</b>
              {support.phone && (
                <>
                  ,{' '}
                  <a className="gm-link" href={`tel:${support.phone.replaceAll(' ', '')}`}>
                    {support.phone}
                  </a>
                </>
              )}
              ,{' '}
              <a className="gm-link" href={`mailto:${support.email}`}>
                {support.email}
              </a>
            </span>
          </Row>
          <RiskTable market={market} risks={risks} />
          <Text as="p" above={4} below={4} className="gm-meta">
            {t('Possible loss: the share of the slot’s payment for the missing capacity. Quarantine is not included.')}
          </Text>
        </>
      ) : (
        expected > 0 && (
          <Text as="p" above={4} below={4} className="gm-meta">
            {t('Expected capacity covers {{count}} future sold slots.', { count: expected })}
          </Text>
        )
      )}
      {unknownCount > 0 && (
        <Text as="p" above={4} below={4} className="gm-meta">
          {t('No forecast for {{count}} sold slots yet: it requires three days of measurements.', {
            count: unknownCount,
          })}
        </Text>
      )}
    </Panel>
  )
}
