import { TextInput } from '@mantine/core'
import { type ChargingSite, setSiteLimit } from '@gridmast/contract/charging/charging-sites.ts'
import { useEffect } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Stack } from '#ui/Layout.tsx'
import type { Row } from './SiteOutlets.tsx'

type Props = { site: ChargingSite; row: Row | null; onClose: () => void }

/** A limit of one connector for a while, with its reason. */
export const HandLimitDialog = ({ site, row, onClose }: Props) => (
  <FormDialog
    editing={row}
    size={480}
    title={row ? t('Limit {{name}}', { name: `${row.charger.name} · ${row.connectorId}` }) : ''}
    onClose={onClose}
  >
    {(one, tools) => <HandLimitForm site={site} row={one} {...tools} />}
  </FormDialog>
)

type Typed = ReturnType<typeof typedNumber>
type Tools = { onUnsaved: (unsaved: boolean) => void; onCancel: () => void; onDone: () => void }

const HandLimitForm = ({ site, row, onUnsaved, onCancel, onDone }: Tools & { site: ChargingSite; row: Row }) => {
  const initial: { limitA: Typed; hours: Typed; reason: string } = {
    limitA: 6,
    hours: 4,
    reason: '',
  }
  const { form, field, submit, sending, waitS } = useCallForm(setSiteLimit, {
    initial,
    fields: ['limitA', 'hours', 'reason'],
    toBody: (values) => ({ ...values, chargerId: row.charger.chargerId, connectorId: row.connectorId }),
    beside: () => ({ params: { id: site._id } }),
    onDone,
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const number = (path: 'limitA' | 'hours', unit: string) => ({
    ...field(path),
    unit,
    decimals: 0,
    initial: form.values[path],
    onChange: (decimal: string | undefined) => form.setFieldValue(path, typedNumber(decimal)),
  })
  return (
    <form noValidate aria-label={t('Manual limit')} onSubmit={submit}>
      <Stack gap={16}>
        <DecimalField
          label={t('At most')}
          description={t('Of each phase. Below 6 A a car takes nothing, so 0 A is a pause.')}
          data-autofocus
          {...number('limitA', 'A')}
        />
        <DecimalField
          label={t('For how long')}
          description={t('Then it ends by itself. At most a week.')}
          {...number('hours', t('hours'))}
        />
        <TextInput
          label={t('Reason')}
          description={t('Colleagues read it beside the connector, with your name.')}
          autoComplete="off"
          {...field('reason')}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Set limit')}
      </FormActions>
    </form>
  )
}
