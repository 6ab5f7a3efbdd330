import '#lib/zod.ts'
import { type MeterTotals, meterFormula, previewTax } from '@gridmast/contract/meters/data-hub.ts'
import { t, translateText } from '#lib/i18n.ts'
import { digits, format, sourceWords } from '#lib/format.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Note, Text, Stack } from '#ui/Layout.tsx'
import { leftOutWords, partNames, qualityWords, unknownWords } from './meter-words.ts'
import type { MeterData } from './meter-model.ts'
import classes from './data-hub.module.css'
import type { Data } from '@gridmast/contract/call.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { useCall } from '#lib/query.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { slotLabel, slotWords } from '#ui/Chart/shape.ts'
import { m } from '@gridmast/contract/messages.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useState } from 'react'
import { DecimalField } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormParts.tsx'
import { Select } from '#ui/Select.tsx'

type TotalsProps = {
  opened: boolean
  /** The day, month or year. */
  period: string
  totals: MeterTotals
  sources: MeterData['sources']
  onClose: () => void
}

const costParts = ['spot', 'tariff', 'tax'] as const

export const TotalsDialog = ({ opened, period, totals, sources, onClose }: TotalsProps) => {
  const { kwh, dkk, kgCo2, coverage } = totals
  return (
    <Dialog opened={opened} onClose={onClose} title={t('How the cost is calculated')} size={560}>
      <Stack gap={12} className={classes.formula}>
        <p className="gm-num">{period}</p>
        <p>{t('Sum of kWh × (spot + tariff + tax) per interval, excluding VAT.')}</p>
        <table className={classes.parts}>
          <thead>
            <tr>
              <th scope="col">{t('Part')}</th>
              <th scope="col">DKK</th>
            </tr>
          </thead>
          <tbody>
            {costParts.map((name) => (
              <tr key={name}>
                <th scope="row">{t(partNames[name])}</th>
                <td className="gm-num">{digits.dkk(dkk?.[name])}</td>
              </tr>
            ))}
            <tr className={classes.total}>
              <th scope="row">{t('Cost')}</th>
              <td className="gm-num">{digits.dkk(dkk?.total)}</td>
            </tr>
          </tbody>
        </table>
        <p>
          {t('Consumption')} <span className="gm-num">{format.meterKwh(kwh)}</span> · {t('Emission')}{' '}
          <span className="gm-num">{format.meterKgCo2(kgCo2)}</span>
          <br />
          {t('Emission: kWh × g/kWh of the grid, per hour.')}
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
      </Stack>
    </Dialog>
  )
}

type FormulaProps = { meterId: string; at: string | null; preview: Preview; onClose: () => void }

/** The cost of one interval, kWh × (spot + tariff + tax), with the source of each price. */
export const FormulaDialog = ({ meterId, at, preview, onClose }: FormulaProps) => {
  const read = useCall(meterFormula, {
    sent: { params: { meterId }, query: { at: at ?? '', ...preview } },
    enabled: at !== null,
  })
  return (
    <Dialog opened={at !== null} onClose={onClose} title={t('How the cost is calculated')} size={560}>
      <Loaded query={read} failed={t('The formula could not be loaded.')} waiting={350}>
        {(formula) => <Formula formula={formula} />}
      </Loaded>
    </Dialog>
  )
}

type Explained = Data<typeof meterFormula>

const Formula = ({ formula }: { formula: Explained }) => {
  const { kwh, quality, dkk, unknown, parts, version, readAt } = formula
  const read = [
    t(qualityWords[quality]),
    version !== null && t('version {{n}}', { n: version }),
    readAt !== null && t('read {{at}}', { at: formatDateTime(Date.parse(readAt)) }),
  ]
  return (
    <Stack gap={12} className={classes.formula}>
      <p className="gm-num">{slotWords(Date.parse(formula.from), Date.parse(formula.to))}</p>
      <Text as="p" plate="sub" style={{ padding: '10px 12px' }}>
        <span className="gm-num">{format.meterKwh(kwh)}</span> ×{' '}
        <span className="gm-num">
          ({parts.map((part) => digits.exactDkkPerMwh(part.dkkPerMwh)).join(' + ')}) DKK/MWh
        </span>{' '}
        = <b className="gm-num">{format.exactDkk(dkk)}</b>
      </Text>
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
    </Stack>
  )
}

const sourceOf = ({ part, source }: Explained['parts'][number]): string => {
  if (source) return sourceWords(source)
  return part === 'tax' ? t('Setting of the meter or the preview') : t('No tariff is chosen for the meter')
}

const Part = ({ part }: { part: Explained['parts'][number] }) => {
  const { prices } = part
  return (
    <>
      <tr>
        <th scope="row">{t(partNames[part.part])}</th>
        <td className="gm-num">{digits.exactDkkPerMwh(part.dkkPerMwh)}</td>
        <td className="gm-num">{digits.exactDkk(part.dkk)}</td>
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
                      `${slotLabel(Date.parse(from), Date.parse(to))}: ${digits.exactDkkPerMwh(dkkPerMwh)}`,
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

/** Query of the calls that accept other prices. */
export type Preview = { priceSignal?: string; taxValue?: string }

type PreviewProps = {
  opened: boolean
  signals: Customer['powerCost']
  /** Prices of the chart. */
  current: { priceSignal: string; taxValue: string }
  onPreview: (preview: Required<Preview>) => void
  onClose: () => void
}

/** Another price signal and tax for the page; the meter's settings are unchanged. */
export const PreviewDialog = ({ opened, onClose, ...form }: PreviewProps) => (
  <Dialog opened={opened} onClose={onClose} title={t('Try other prices')}>
    {opened && <PreviewForm {...form} onClose={onClose} />}
  </Dialog>
)

const PreviewForm = ({ signals, current, onPreview, onClose }: Omit<PreviewProps, 'opened'>) => {
  const [priceSignal, setPriceSignal] = useState(current.priceSignal)
  const [tax, setTax] = useState<string | undefined>(current.taxValue)
  const [isErrorVisible, setErrorVisible] = useState(false)
  const error = tax === undefined ? m.required : previewTax.safeParse(tax).success ? null : m.decimalOrInteger
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (error !== null || tax === undefined) return setErrorVisible(true)
        onPreview({ priceSignal, taxValue: tax })
        onClose()
      }}
    >
      <Stack gap={12}>
        <p className="gm-meta">
          {t('The chart, the amounts and the most expensive hours are calculated with these prices. Nothing is saved.')}
        </p>
        <Select
          label={t('Price signal')}
          data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={priceSignal}
          allowDeselect={false}
          onChange={(next) => next && setPriceSignal(next)}
        />
        <DecimalField
          label={t('Tax value')}
          decimals={limits.taxDecimals}
          unit="Kr/mwh"
          initial={current.taxValue}
          error={isErrorVisible && error ? translateText(error) : null}
          onChange={setTax}
        />
      </Stack>
      <FormActions onCancel={onClose} sending={false}>
        {t('Show')}
      </FormActions>
    </form>
  )
}
