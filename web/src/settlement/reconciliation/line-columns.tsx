import type { ComparedLine, Facts, ReconciledSums } from '@gridmast/contract/settlement/reconciliation.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, Hint } from '#ui/DataTable.tsx'
import { Row, Text, TextButton } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import { causesOf, causeWords, kindWords, periodWords, signed } from './reconciliation-words.ts'
import classes from './reconciliation.module.css'
import { type Cause, causes } from '@gridmast/contract/choices.ts'

/** `0,4 MW · 2,50 €/MW · 95 % · 70 %`: the factors of an amount. */
const factsText = (facts: Facts | null): string =>
  facts === null
    ? t('nothing')
    : [
        facts.mw && format.mw(facts.mw),
        facts.priceEur && `${digits.trimmedEur(facts.priceEur)} €/MW`,
        facts.availability && t('{{n}} % available', { n: digits.percent(facts.availability) }),
        facts.share && t('{{n}} % yours', { n: digits.sharePercent(facts.share) }),
      ]
        .filter(Boolean)
        .join(' · ')

const Why = ({ line }: { line: ComparedLine }) => {
  const { kind, words } = kindWords[line.kind]
  return (
    <Row as="span" inline gap={8} rowGap={2}>
      <Tag kind={kind}>{t(words)}</Tag>
      {line.kind === 'differs' &&
        causesOf(line.parts).map((cause) => (
          <Text as="small" key={cause} ink="ink3" size="small" className="gm-num">
            {t(causeWords[cause])} {signed(line.parts?.[cause] ?? null)}
          </Text>
        ))}
    </Row>
  )
}

const Amount = ({ eur, facts }: { eur: string | null; facts: Facts | null }) => {
  const words = factsText(facts)
  return words === '' ? digits.eur(eur) : <Hint words={words}>{digits.eur(eur)}</Hint>
}

export const useLineColumns = <Line extends ComparedLine>(): Columns<Line> => [
  column.text('date', t('Date'), (line) => periodWords(line), { card: 'plain', digits: true }),
  column.text('instance', t('Instance'), ({ instance }) => instance, { card: 'lead' }),
  column.cell(
    'type',
    t('Type'),
    ({ type, auction, row }) => (
      <>
        {[type, auction].filter(Boolean).join(' ')}
        {row !== null && (
          <Text ink="ink3" size="small" className="gm-num">
            {' '}
            {t('row {{n}}', { n: row })}
          </Text>
        )}
      </>
    ),
    { card: 'plain' },
  ),
  column.figure('ours', 'Gridmast (€)', ({ oursEur, ours }) => <Amount eur={oursEur} facts={ours} />),
  column.figure('theirs', t('Statement (€)'), ({ theirsEur, theirs }) => <Amount eur={theirsEur} facts={theirs} />),
  column.figure(
    'difference',
    t('Difference (€)'),
    ({ differenceEur }) => (
      <Text as="b" weight="strong">
        {signed(differenceEur)}
      </Text>
    ),
    { card: 'corner', hint: t('The statement less the settlement.') },
  ),
  column.cell('why', t('Cause'), (line) => <Why line={line} />, { card: 'plain' }),
]

type Props = { sums: ReconciledSums; chosen?: Cause | undefined; onChoose?: (cause: Cause | undefined) => void }

export const Causes = ({ sums, chosen, onChoose }: Props) => {
  const label = (cause: Cause) => t(causeWords[cause])
  return (
    <dl className={classes.sums}>
      <div>
        <dt>Gridmast</dt>
        <dd>€ {digits.eur(sums.oursEur)}</dd>
      </div>
      {causes.map((cause) => (
        <div key={cause} data-chosen={chosen === cause || undefined}>
          <dt>
            {onChoose ? (
              <TextButton
                plain
                aria-pressed={chosen === cause}
                onClick={() => onChoose(chosen === cause ? undefined : cause)}
              >
                {label(cause)}
              </TextButton>
            ) : (
              label(cause)
            )}
          </dt>
          <dd>{signed(sums.parts[cause])}</dd>
        </div>
      ))}
      <div>
        <dt>{t('Statement')}</dt>
        <dd>€ {digits.eur(sums.theirsEur)}</dd>
      </div>
      <div data-strong>
        <dt>{t('Difference')}</dt>
        <dd>€ {signed(sums.differenceEur)}</dd>
      </div>
    </dl>
  )
}
