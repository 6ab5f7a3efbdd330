import { Button } from '@mantine/core'
import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { formatDate, hourMs } from '@gridmast/contract/time.ts'
import type { ReactNode } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import * as column from '#ui/columns.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Tag } from '#ui/Tag.tsx'
import {
  capacityWords,
  type Formula,
  grossWords,
  type Line,
  type Part,
  partsOf,
  penaltyWords,
  sourceWords,
} from './economics-words.ts'
import { EnergyBlock } from './EnergyBlock.tsx'
import classes from './economics.module.css'

type Props = { row: Settlement; formula: Formula; onVersion: (version: number) => void }

const slotOf = ({ start, end }: Line) => slotLabel(Date.parse(start), Date.parse(end))

export const SettlementTab = ({ row, formula, onVersion }: Props) => {
  const { lines, contract, grossEur, energyEur } = formula
  const won = lines.filter(({ won: isWon, capacityEur }) => isWon && capacityEur !== null)
  const lost = lines.filter(({ won: isWon }) => isWon === false).length
  const waiting = lines.length - won.length - lost
  const missed = lines.reduce((sum, { missedHours }) => sum + missedHours, 0)
  const [only] = won
  const names: Record<Exclude<Part['kind'], 'enabler'>, string> = {
    partner: t('Partner'),
    sc: 'SC',
    customer: t('Customer'),
  }
  return (
    <div className={classes.settlement}>
      <table className={classes.sums} aria-label={t('How the settlement is calculated')}>
        <thead>
          <tr>
            <th scope="col">{t('Part')}</th>
            <th scope="col">{t('Formula')}</th>
            <th scope="col">€</th>
          </tr>
        </thead>
        <tbody>
          <Sum name={t('Capacity')} eur={formula.capacityEur}>
            {won.length === 1 && only ? capacityWords(only) : t('Bids won: {{n}}, listed below', { n: won.length })}
          </Sum>
          <Sum name={t('Penalty')} eur={formula.availability ? formula.penaltyEur : null}>
            {formula.availability ? t('Hours sold and not available: {{n}}', { n: missed }) : t('Day not over')}
          </Sum>
          <Sum name={t('Gross')} eur={grossEur} strong>
            {grossEur !== null && grossWords(formula)}
          </Sum>
          {partsOf(formula).map((part) => (
            <Sum
              key={part.key}
              name={part.kind === 'enabler' ? part.name : names[part.kind]}
              eur={part.eur}
              strong={part.kind === 'customer'}
            >
              {part.words}
            </Sum>
          ))}
          {formula.energy.state !== 'none' && (
            <Sum name={t('Energy')} eur={energyEur}>
              {t('in addition to the gross, not shared')}
            </Sum>
          )}
        </tbody>
      </table>
      {grossEur === null && <p className={classes.warn}>{t('The results have not been published yet')}</p>}
      {!contract && <p className={classes.warn}>{t('No contract is valid on this day, so the shares are unknown.')}</p>}
      {contract && (
        <p className="gm-meta">
          {t('Contract valid from {{day}}. Amounts are rounded to cents once for the day.', {
            day: formatDate(contract.validFrom),
          })}{' '}
          {contract.penaltyTo === 'sc' && t('The SC bears the penalties, so the capacity is shared before them.')}
        </p>
      )}
      <EnergyBlock row={row} formula={formula} />
      <Availability formula={formula} />
      {lines.length > 0 && (
        <section className={classes.block} aria-label={t('Bids')}>
          <h3>{t('Bids')}</h3>
          <ul className={classes.lines}>
            {won.map((line) => (
              <li key={`${line.start} ${line.auction}`}>
                <span>
                  {slotOf(line)} {line.auction && <small>{line.auction}</small>}
                </span>
                <span>
                  {capacityWords(line)}
                  {line.penaltyEur !== null && compareDecimals(line.penaltyEur, '0') < 0 && (
                    <em>{penaltyWords(line)}</em>
                  )}
                  {line.priceSource && <small>{sourceWords(line.priceSource)}</small>}
                </span>
              </li>
            ))}
          </ul>
          <p className="gm-meta">
            {[
              lost > 0 && t('Bids lost: {{n}}', { n: lost }),
              waiting > 0 && t('Bids without a published result: {{n}}', { n: waiting }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </section>
      )}
      <Versions formula={formula} onVersion={onVersion} />
    </div>
  )
}

type SumProps = { name: string; eur: string | null; strong?: boolean; children: ReactNode }

const Sum = ({ name, eur, strong, children }: SumProps) => (
  <tr data-strong={strong || undefined}>
    <th scope="row">{name}</th>
    <td>{children}</td>
    <td>{digits.eur(eur)}</td>
  </tr>
)

const Availability = ({ formula: { availability } }: { formula: Formula }) => {
  const reasons = { silent: t('no measurement'), 'too little': t('less capacity was available than sold') }
  const hour = (at: string) => slotLabel(Date.parse(at), Date.parse(at) + hourMs)
  return (
    <section className={classes.block} aria-label={t('Availability')}>
      <h3>{t('Availability')}</h3>
      {availability === null ? (
        <p>{t('The day is not over yet, so its availability is unknown.')}</p>
      ) : !availability.isJudged ? (
        <p className={classes.warn}>
          {t('{{share}} % of the day’s measurements are missing, so no penalty is deducted.', {
            share: digits.fixedPercent(availability.missingShare * 100),
          })}
        </p>
      ) : availability.notAvailable.length === 0 ? (
        <p>{t('Available in every hour that was sold.')}</p>
      ) : (
        <ul className={classes.hours}>
          {availability.notAvailable.map(({ at, reason }) => (
            <li key={at}>
              <b>{hour(at)}</b> {reasons[reason]}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const useVersionColumns = (current: number, onVersion: Props['onVersion']): Column<Formula['versions'][number]>[] => [
  column.text('version', t('Version'), ({ version }) => `v${version}`, { card: 'lead' }),
  column.time('madeAt', t('Settled'), ({ madeAt }) => madeAt, { card: 'plain' }),
  column.figure('gross', t('Gross (€)'), ({ grossEur }) => digits.eur(grossEur)),
  column.figure('customer', t('Customer revenue (€)'), ({ customerEur }) => digits.eur(customerEur)),
  column.figure(
    'open',
    t('Action'),
    ({ version }) =>
      version === current ? (
        <Tag>{t('Shown')}</Tag>
      ) : (
        <Button size="compact-xs" variant="default" onClick={() => onVersion(version)}>
          {t('Open version {{n}}', { n: version })}
        </Button>
      ),
    { card: 'acts' },
  ),
]

const Versions = ({ formula, onVersion }: Pick<Props, 'formula' | 'onVersion'>) => {
  const { version: current, versions } = formula
  const columns = useVersionColumns(current, onVersion)
  if (versions.length < 2) return null
  return (
    <section className={classes.block} aria-label={t('Versions')}>
      <h3>{t('Versions')}</h3>
      <DataTable
        label={t('Versions')}
        dense
        columns={columns}
        rows={versions}
        rowKey={({ version }) => String(version)}
      />
    </section>
  )
}
