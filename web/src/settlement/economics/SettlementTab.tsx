import { Button } from '@mantine/core'
import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { formatDate, hourMs } from '@gridmast/contract/time.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import * as column from '#ui/columns.tsx'
import { type Column, type Columns, DataTable } from '#ui/DataTable.tsx'
import { Note, Stack, SubSection, Text } from '#ui/Layout.tsx'
import { SmallTable } from '#ui/SmallTable.tsx'
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
  const sums: Sum[] = [
    {
      name: t('Capacity'),
      words: won.length === 1 && only ? capacityWords(only) : t('Bids won: {{n}}, listed below', { n: won.length }),
      eur: formula.capacityEur,
    },
    formula.availability
      ? { name: t('Penalty'), words: t('Hours sold and not available: {{n}}', { n: missed }), eur: formula.penaltyEur }
      : { name: t('Penalty'), words: t('Day not over'), eur: null },
    { name: t('Gross'), words: grossEur === null ? '' : grossWords(formula), eur: grossEur, isStrong: true },
    ...partsOf(formula).map(({ key, kind, name, words, eur }) => ({
      key,
      name: kind === 'enabler' ? name : names[kind],
      words,
      eur,
      isStrong: kind === 'customer',
    })),
    ...(formula.energy.state === 'none'
      ? []
      : [{ name: t('Energy'), words: t('in addition to the gross, not shared'), eur: energyEur }]),
  ]
  return (
    <Stack gap={12}>
      <SmallTable
        label={t('How the settlement is calculated')}
        className={classes.sums}
        columns={sumColumns()}
        rows={sums}
        rowKey={({ key, name }) => key ?? name}
        strongRow={({ isStrong }) => isStrong === true}
      />
      {grossEur === null && <Note ink="warn">{t('The results have not been published yet')}</Note>}
      {!contract && <Note ink="warn">{t('No contract is valid on this day, so the shares are unknown.')}</Note>}
      {contract && (
        <Note className="gm-meta">
          {t('Contract valid from {{day}}. Amounts are rounded to cents once for the day.', {
            day: formatDate(contract.validFrom),
          })}{' '}
          {contract.penaltyTo === 'sc' && t('The SC bears the penalties, so the capacity is shared before them.')}
        </Note>
      )}
      <EnergyBlock row={row} formula={formula} />
      <Availability formula={formula} />
      {lines.length > 0 && (
        <SubSection title={t('Bids')} gap={6}>
          <ul className={classes.lines}>
            {won.map((line) => (
              <li key={`${line.start} ${line.auction}`}>
                <span>
                  {slotOf(line)} {line.auction && <small style={{ marginLeft: 4 }}>{line.auction}</small>}
                </span>
                <Stack as="span">
                  {capacityWords(line)}
                  {line.penaltyEur !== null && compareDecimals(line.penaltyEur, '0') < 0 && (
                    <Text ink="down">{penaltyWords(line)}</Text>
                  )}
                  {line.priceSource && (
                    <Text as="small" ink="ink3">
                      {sourceWords(line.priceSource)}
                    </Text>
                  )}
                </Stack>
              </li>
            ))}
          </ul>
          <Note className="gm-meta">
            {[
              lost > 0 && t('Bids lost: {{n}}', { n: lost }),
              waiting > 0 && t('Bids without a published result: {{n}}', { n: waiting }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Note>
        </SubSection>
      )}
      <Versions formula={formula} onVersion={onVersion} />
    </Stack>
  )
}

type Sum = { key?: string; name: string; words: string; eur: string | null; isStrong?: boolean }

const sumColumns = (): Columns<Sum> => [
  column.text('part', t('Part'), ({ name }) => name),
  column.cell('formula', t('Formula'), ({ words }) => (
    <Text ink="ink2" weight="normal">
      {words}
    </Text>
  )),
  column.figure('eur', '€', ({ eur }) => digits.eur(eur)),
]

const Availability = ({ formula: { availability } }: { formula: Formula }) => {
  const reasons = { silent: t('no measurement'), 'too little': t('less capacity was available than sold') }
  const hour = (at: string) => slotLabel(Date.parse(at), Date.parse(at) + hourMs)
  return (
    <SubSection title={t('Availability')} gap={6}>
      {availability === null ? (
        <Text as="p">{t('The day is not over yet, so its availability is unknown.')}</Text>
      ) : !availability.isJudged ? (
        <Note ink="warn">
          {t('{{share}} % of the day’s measurements are missing, so no penalty is deducted.', {
            share: digits.fixedPercent(availability.missingShare * 100),
          })}
        </Note>
      ) : availability.notAvailable.length === 0 ? (
        <Text as="p">{t('Available in every hour that was sold.')}</Text>
      ) : (
        <Stack as="ul" gap={2} className="gm-num">
          {availability.notAvailable.map(({ at, reason }) => (
            <li key={at}>
              <Text as="b" weight="medium" style={{ marginRight: 6 }}>
                {hour(at)}
              </Text>{' '}
              {reasons[reason]}
            </li>
          ))}
        </Stack>
      )}
    </SubSection>
  )
}

const useVersionColumns = (current: number, onVersion: Props['onVersion']): Column<Formula['versions'][number]>[] => [
  column.text('version', t('Version'), ({ version }) => `v${version}`, { card: 'lead' }),
  column.time('madeAt', t('Settled'), ({ madeAt }) => madeAt, { card: 'plain' }),
  column.figure('gross', t('Gross (€)'), ({ grossEur }) => digits.eur(grossEur)),
  column.figure('customer', t('Customer revenue (€)'), ({ customerEur }) => digits.eur(customerEur)),
  column.figure(
    'open',
    t('Actions'),
    ({ version }) =>
      version === current ? (
        <Tag>{t('Shown')}</Tag>
      ) : (
        <Button size="compact-xs" variant="default" onClick={() => onVersion(version)}>
          {t('Open version {{n}}', { n: version })}
        </Button>
      ),
    { card: 'actions' },
  ),
]

const Versions = ({ formula, onVersion }: Pick<Props, 'formula' | 'onVersion'>) => {
  const { version: current, versions } = formula
  const columns = useVersionColumns(current, onVersion)
  if (versions.length < 2) return null
  return (
    <SubSection title={t('Versions')} gap={6}>
      <DataTable
        label={t('Versions')}
        dense
        columns={columns}
        rows={versions}
        rowKey={({ version }) => String(version)}
      />
    </SubSection>
  )
}
