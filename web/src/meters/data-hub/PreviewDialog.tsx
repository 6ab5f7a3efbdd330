import { Select } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FormActions } from '#ui/FormParts.tsx'
import { Stack } from '#ui/Layout.tsx'

/** Settings that are tried out, as they are sent. */
export type Preview = { priceSignal?: string; taxValue?: string }

type Props = {
  opened: boolean
  signals: Customer['powerCost']
  /** What is shown now. */
  shown: { priceSignal: string; taxValue: string }
  onPreview: (preview: Required<Preview>) => void
  onClose: () => void
}

/** Another price signal and tax to try out; the meter keeps its own. */
export const PreviewDialog = ({ opened, onClose, ...form }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={t('Try other prices')}>
    {opened && <PreviewForm {...form} onClose={onClose} />}
  </Dialog>
)

/** As the server takes it: not negative, six decimals at most. */
const isTax = (text: string) => /^\d{1,7}(\.\d{1,6})?$/.test(text)

const PreviewForm = ({ signals, shown, onPreview, onClose }: Omit<Props, 'opened'>) => {
  const [priceSignal, setPriceSignal] = useState(shown.priceSignal)
  const [tax, setTax] = useState<string | undefined>(shown.taxValue)
  const [isTold, setTold] = useState(false)
  const error = tax === undefined ? m.required : isTax(tax) ? null : m.decimalOrInteger
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (error !== null || tax === undefined) return setTold(true)
        onPreview({ priceSignal, taxValue: tax })
        onClose()
      }}
    >
      <Stack gap={12}>
        <p className="gm-meta">
          {t('The chart, its amounts and the dearest hours are worked out with these prices. Nothing is saved.')}
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
          initial={shown.taxValue}
          error={isTold && error ? translateText(error) : null}
          onChange={setTax}
        />
      </Stack>
      <FormActions onCancel={onClose} sending={false}>
        {t('Show')}
      </FormActions>
    </form>
  )
}
