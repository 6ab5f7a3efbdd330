import type { MeterTotals } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { sourceWords } from '#lib/format.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Note, Text } from '#ui/Layout.tsx'
import { leftOutWords } from './coverage.ts'
import type { MeterData } from './meter-model.ts'
import { partNames } from './meter-words.ts'
import classes from './data-hub.module.css'

type Props = {
  opened: boolean
  /** The day, month or year. */
  period: string
  totals: MeterTotals
  sources: MeterData['sources']
  onClose: () => void
}

const names = ['spot', 'tariff', 'tax'] as const

/** How the sums of a period came about. */
export const TotalsDialog = ({ opened, period, totals, sources, onClose }: Props) => {
  const { kwh, dkk, kgCo2, coverage } = totals
  const dkkText = (value: string | undefined) => formatNumber(value, { decimals: 2 })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('How the cost came about')} size={560}>
      <div className={classes.formula}>
        <p className="gm-num">{period}</p>
        <p>{t('Each interval’s kWh × (spot + tariff + tax), added up. Without VAT.')}</p>
        <table className={classes.parts}>
          <thead>
            <tr>
              <th scope="col">{t('Part')}</th>
              <th scope="col">DKK</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{t(partNames[name])}</th>
                <td className="gm-num">{dkkText(dkk?.[name])}</td>
              </tr>
            ))}
            <tr className={classes.total}>
              <th scope="row">{t('Cost')}</th>
              <td className="gm-num">{dkkText(dkk?.total)}</td>
            </tr>
          </tbody>
        </table>
        <p>
          {t('Consumption')} <span className="gm-num">{formatNumber(kwh, { decimals: 3, unit: 'kWh' })}</span> ·{' '}
          {t('Emission')} <span className="gm-num">{formatNumber(kgCo2, { decimals: 2, unit: 'kg CO₂' })}</span>
          <br />
          {t('Emission is each hour’s kWh × the g/kWh of the grid in that hour.')}
        </p>
        {leftOutWords(coverage).map((words) => (
          <Note key={words} ink="warn">
            {words}
          </Note>
        ))}
        <Text as="ul" ink="ink3" size="small">
          <li>
            {t('Consumption')}: {sourceWords(sources.readings)}
          </li>
          <li>
            {t('Spot price')}: {sourceWords(sources.spot)}
          </li>
          <li>
            {t('Emission')}: {sourceWords(sources.emission)}
          </li>
        </Text>
      </div>
    </Dialog>
  )
}
