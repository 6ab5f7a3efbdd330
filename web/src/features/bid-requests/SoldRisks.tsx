import type { SoldRisks } from '@gridmast/contract/penalty-guard.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, localTime } from '@gridmast/contract/time.ts'
import { IconPhone } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './bid-requests.module.css'

type Risk = SoldRisks['risks'][number]

const kw = (value: number | null) => formatNumber(value, { decimals: 1, minDecimals: 0 })
const eur = (value: string | null) => formatNumber(value, { decimals: 2 })

const useColumns = (market: string): Column<Risk>[] => {
  const { t } = useTranslation()
  const when = ({ start, end }: Risk) =>
    `${formatDate(Date.parse(start)).slice(0, 5)} ${localTime(Date.parse(start))}–${localTime(Date.parse(end))}`
  const what = ({ groupName, product }: Risk) => (product === market ? groupName : `${groupName} · ${product}`)
  return [
    { key: 'time', title: t('Time'), digits: true, lead: true, cell: when },
    { key: 'instance', title: t('Instance'), cell: what },
    { key: 'sold', title: t('Sold (kW)'), align: 'right', cell: ({ soldKw }) => kw(soldKw) },
    {
      key: 'expected',
      title: t('Expected (kW)'),
      align: 'right',
      cell: ({ expectedKw, usualErrorKw }) => (expectedKw === null ? '–' : `${kw(expectedKw)} ± ${kw(usualErrorKw)}`),
    },
    { key: 'short', title: t('Missing (kW)'), align: 'right', cell: ({ shortKw }) => kw(shortKw) },
    {
      key: 'loss',
      title: t('Would lose (EUR)'),
      align: 'right',
      cell: ({ lossEur, atStakeEur }) =>
        lossEur === null ? '–' : t('{{lost}} of {{all}}', { lost: eur(lossEur), all: eur(atStakeEur) }),
    },
    {
      key: 'spare',
      title: t('Could stand in'),
      cell: ({ spare }) => spare.map((one) => `${one.groupName} ${kw(one.kw)} kW`).join(', ') || '–',
    },
    {
      key: 'state',
      title: t('Status'),
      corner: true,
      cell: ({ state }) =>
        state === 'short' ? <Tag kind="warn">{t('At risk')}</Tag> : <Tag kind="outline">{t('Unknown')}</Tag>,
    },
  ]
}

/** What is sold and not expected to be there, what it would cost, and the way out. Nothing where nothing is sold. */
export const SoldRisksPanel = ({ market, found }: { market: string; found: SoldRisks }) => {
  const { t } = useTranslation()
  const columns = useColumns(market)
  const { risks, soldCount, unknownCount, support } = found
  if (soldCount === 0 && risks.length === 0) return null
  const [first] = risks
  return (
    <Panel title={t('Slots at risk')} label={t('Slots at risk')}>
      {first ? (
        <>
          <p className={classes.wayOut}>
            <IconPhone size={16} stroke={1.8} aria-hidden />
            <span>
              {t('Can be made good until {{at}}: bring the power back, or call', {
                at: `${formatDate(Date.parse(first.start)).slice(0, 5)} ${localTime(Date.parse(first.start))}`,
              })}{' '}
              <b>{support.name}</b>
              {support.phone && (
                <>
                  , <a href={`tel:${support.phone.replaceAll(' ', '')}`}>{support.phone}</a>
                </>
              )}
              , <a href={`mailto:${support.email}`}>{support.email}</a>
            </span>
          </p>
          <DataTable
            label={t('Slots at risk')}
            dense
            columns={columns}
            rows={risks}
            rowKey={({ groupId, product, start }) => `${groupId} ${product} ${start}`}
            pageSize={50}
          />
          <p className="gm-meta">
            {t(
              'Would lose: the share of the slot’s payment that the missing power is, if it stays so. Quarantine is not in it.',
            )}
          </p>
        </>
      ) : (
        <p className="gm-meta">
          {soldCount > unknownCount &&
            t('{{count}} sold slots to come are expected to be there.', { count: soldCount - unknownCount })}
        </p>
      )}
      {unknownCount > 0 && (
        <p className="gm-meta">
          {t('Of {{count}} sold slots nothing is known yet: a forecast takes three days of measurement.', {
            count: unknownCount,
          })}
        </p>
      )}
    </Panel>
  )
}
