import { reasons } from '@gridmast/contract/settlement/month-comparison.ts'
import { addDecimals, compareDecimals } from '@gridmast/contract/numbers.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { formatMonth } from '#ui/date/typed-date.ts'
import { type Explained, isSettled, reasonName, reasonWords, signed } from './comparison-words.ts'
import { Text } from '#ui/Layout.tsx'
import classes from './comparison.module.css'

type Step = { key: string; name: string; words: string; from: number; to: number } & (
  | { isTotal: true; eur: string | null }
  | { isTotal: false; eur: string }
)

const stepsOf = (comparison: Explained): Step[] => {
  const { before, after, parts, days } = comparison
  const total = (of: Explained['before']): Step => ({
    key: of.month,
    name: formatMonth(of.month),
    words: !isSettled(of)
      ? t('No settlements')
      : days === null
        ? t('Customer revenue')
        : t('Customer revenue, days 1–{{n}}', { n: days }),
    eur: isSettled(of) ? of.revenueEur : null,
    from: 0,
    to: Number(of.revenueEur), // drawn, never computed with
    isTotal: true,
  })
  let reached = before.revenueEur
  const changes = reasons
    .filter((reason) => reason !== 'rounding' || compareDecimals(parts.rounding, '0') !== 0)
    .map((reason): Step => {
      const from = reached
      reached = addDecimals(reached, parts[reason])
      return {
        key: reason,
        name: reasonName(reason),
        words: reasonWords(reason, before, after),
        eur: parts[reason],
        from: Number(from),
        to: Number(reached),
        isTotal: false,
      }
    })
  return [total(before), ...changes, { ...total(after), key: 'after' }]
}

/** A table, so that it is readable without the bars. */
export const Waterfall = ({ comparison }: { comparison: Explained }) => {
  const steps = stepsOf(comparison)
  const ends = steps.flatMap(({ from, to }) => [from, to])
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const at = (eur: number) => (high === low ? 0 : ((eur - low) / (high - low)) * 100)
  const colourOf = ({ isTotal, from, to }: Step) =>
    isTotal ? 'data1' : to < from ? 'down' : to > from ? 'up' : 'line2'
  return (
    <table className={classes.waterfall} aria-label={t('From one month to the other')}>
      <thead className="gm-hidden">
        <tr>
          <th scope="col">{t('Part')}</th>
          <th scope="col">{t('Change')}</th>
          <th scope="col">€</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step.key} data-total={step.isTotal || undefined}>
            <th scope="row">
              {step.name}
              <Text as="div" ink="ink3" size="label" weight="normal">
                {step.words}
              </Text>
            </th>
            <td aria-hidden>
              <i
                style={{
                  background: `var(--gm-${colourOf(step)})`,
                  left: `${at(Math.min(step.from, step.to))}%`,
                  width: `${at(Math.max(step.from, step.to)) - at(Math.min(step.from, step.to))}%`,
                }}
              />
              <u style={{ left: `${at(0)}%` }} />
            </td>
            <td>{step.isTotal ? digits.eur(step.eur) : signed(step.eur)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
