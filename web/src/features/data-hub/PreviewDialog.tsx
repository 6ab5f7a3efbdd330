import { Select, Stack, TextInput } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { parseNumber } from '@gridmast/contract/numbers.ts'
import type { Customer } from '@gridmast/contract/user.ts'
import { useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import type { Preview } from './meter-search.ts'

type Props = {
  opened: boolean
  signals: Customer['powerCost']
  /** What is shown now. */
  shown: { priceSignal: string; taxValue: string }
  onPreview: (preview: Required<Preview>) => void
  onClose: () => void
}

/** Another price signal and tax to try out; the meter keeps its own. */
export const PreviewDialog = ({ opened, onClose, ...form }: Props) => {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Try other prices')}>
      {opened && <PreviewForm {...form} onClose={onClose} />}
    </Dialog>
  )
}

/** As the server takes it: not negative, six decimals at most. */
const isTax = (text: string | null) => text !== null && /^\d{1,7}(\.\d{1,6})?$/.test(text)

const PreviewForm = ({ signals, shown, onPreview, onClose }: Omit<Props, 'opened'>) => {
  const { t, say } = useTranslation()
  const [priceSignal, setPriceSignal] = useState(shown.priceSignal)
  const [typed, setTyped] = useState(shown.taxValue.replace('.', ','))
  const [isTold, setTold] = useState(false)
  const tax = parseNumber(typed)
  const error = typed.trim() === '' ? m.required : isTax(tax) ? null : m.decimalOrInteger
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (error !== null || tax === null) return setTold(true)
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
        <TextInput
          label={t('Tax value')}
          inputMode="decimal"
          rightSection={<span className="gm-meta">Kr/mwh</span>}
          rightSectionWidth={64}
          value={typed}
          error={isTold && error ? say(error) : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
      <FormActions onCancel={onClose} sending={false}>
        {t('Show')}
      </FormActions>
    </form>
  )
}
