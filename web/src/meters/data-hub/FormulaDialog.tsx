import type { Data } from '@gridmast/contract/call.ts'
import { meterFormula } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { sourceWords } from '#lib/format.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { slotLabel, slotWords } from '#ui/Chart/shape.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Note } from '#ui/Layout.tsx'
import { partNames, qualityWords, unknownWords } from './meter-words.ts'
import type { Preview } from './PreviewDialog.tsx'
import classes from './data-hub.module.css'

type Props = { meterId: string; at: string | null; preview: Preview; onClose: () => void }

/** How the cost of one interval came about: kWh × (spot + tariff + tax), and who published each. */
export const FormulaDialog = ({ meterId, at, preview, onClose }: Props) => {
  const read = useCall(meterFormula, {
    sent: { params: { meterId }, query: { at: at ?? '', ...preview } },
    enabled: at !== null,
  })
  return (
    <Dialog opened={at !== null} onClose={onClose} title={t('How the cost came about')} size={560}>
      <Loaded query={read} failed={t('The formula could not be loaded.')} waiting={350}>
        {(formula) => <Formula formula={formula} />}
      </Loaded>
    </Dialog>
  )
}

type Explained = Data<typeof meterFormula>

const exact = (value: string | null, decimals: number, unit = '') =>
  formatNumber(value, { decimals, minDecimals: 2, unit })

const Formula = ({ formula }: { formula: Explained }) => {
  const { kwh, quality, dkk, unknown, parts, version, readAt } = formula
  const read = [
    t(qualityWords[quality]),
    version !== null && t('version {{n}}', { n: version }),
    readAt !== null && t('read {{at}}', { at: formatDateTime(Date.parse(readAt)) }),
  ]
  return (
    <div className={classes.formula}>
      <p className="gm-num">{slotWords(Date.parse(formula.from), Date.parse(formula.to))}</p>
      <p className={classes.sum}>
        <span className="gm-num">{formatNumber(kwh, { decimals: 3, unit: 'kWh' })}</span> ×{' '}
        <span className="gm-num">({parts.map((part) => exact(part.dkkPerMwh, 4)).join(' + ')}) DKK/MWh</span> ={' '}
        <b className="gm-num">{exact(dkk, 6, 'DKK')}</b>
      </p>
      {unknown && <Note ink="warn">{t(unknownWords[unknown])}</Note>}
      <table className={classes.parts}>
        <thead>
          <tr>
            <th scope="col">{t('Part')}</th>
            <th scope="col">DKK/MWh</th>
            <th scope="col">DKK</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <Part key={part.part} part={part} />
          ))}
        </tbody>
      </table>
      <p className="gm-meta">
        {t('Consumption')}: {read.filter(Boolean).join(', ')}. {sourceWords(formula.readings)}
      </p>
    </div>
  )
}

const sourceOf = ({ part, source }: Explained['parts'][number]): string => {
  if (source) return sourceWords(source)
  return part === 'tax' ? t('A setting of the meter, or of the preview') : t('No tariff is chosen for the meter')
}

const Part = ({ part }: { part: Explained['parts'][number] }) => {
  const { prices } = part
  return (
    <>
      <tr>
        <th scope="row">{t(partNames[part.part])}</th>
        <td className="gm-num">{exact(part.dkkPerMwh, 4)}</td>
        <td className="gm-num">{exact(part.dkk, 6)}</td>
      </tr>
      <tr className={classes.from}>
        <td colSpan={3}>
          {sourceOf(part)}
          {prices.length > 1 && (
            <>
              <br />
              {t('Mean of')}{' '}
              <span className="gm-num">
                {prices
                  .map(
                    ({ from, to, dkkPerMwh }) =>
                      `${slotLabel(Date.parse(from), Date.parse(to))}: ${exact(dkkPerMwh, 4)}`,
                  )
                  .join(' · ')}
              </span>
            </>
          )}
          {prices[0]?.fetchedAt && (
            <>
              <br />
              {t('Fetched {{at}}', { at: formatDateTime(Date.parse(prices[0].fetchedAt)) })}
            </>
          )}
        </td>
      </tr>
    </>
  )
}
