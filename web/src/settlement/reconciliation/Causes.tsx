import { type Cause, causes } from '@gridmast/contract/choices.ts'
import type { ReconciledSums } from '@gridmast/contract/settlement/reconciliation.ts'
import { money } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { causeWords, signed } from './reconciliation-words.ts'
import classes from './reconciliation.module.css'

type Props = { sums: ReconciledSums; chosen?: Cause | undefined; onChoose?: (cause: Cause | undefined) => void }

/** From what is settled over each cause to what the statement says; with `onChoose` a cause narrows the lines. */
export const Causes = ({ sums, chosen, onChoose }: Props) => {
  const label = (cause: Cause) => t(causeWords[cause])
  return (
    <dl className={classes.sums}>
      <div>
        <dt>Gridmast</dt>
        <dd>€ {money(sums.oursEur)}</dd>
      </div>
      {causes.map((cause) => (
        <div key={cause} data-part data-chosen={chosen === cause || undefined}>
          <dt>
            {onChoose ? (
              <button
                type="button"
                aria-pressed={chosen === cause}
                onClick={() => onChoose(chosen === cause ? undefined : cause)}
              >
                {label(cause)}
              </button>
            ) : (
              label(cause)
            )}
          </dt>
          <dd>{signed(sums.parts[cause])}</dd>
        </div>
      ))}
      <div>
        <dt>{t('Statement')}</dt>
        <dd>€ {money(sums.theirsEur)}</dd>
      </div>
      <div data-strong>
        <dt>{t('Difference')}</dt>
        <dd>€ {signed(sums.differenceEur)}</dd>
      </div>
    </dl>
  )
}
