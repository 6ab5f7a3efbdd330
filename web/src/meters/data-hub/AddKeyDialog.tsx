import { TextInput } from '@mantine/core'
import { addMeterGroup, isRegularCvr } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { type Progress, useProgress } from '#ui/FileImport.tsx'
import { FormActions } from '#ui/FormParts.tsx'
import { Note, Stack, Text } from '#ui/Layout.tsx'

type Props = { opened: boolean; onClose: () => void }

/** Adds the meters that a power of attorney of a CVR number covers. */
export const AddKeyDialog = ({ opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={440} title={t('Add Key')}>
    {opened && <KeyForm onClose={onClose} />}
  </Dialog>
)

const path = 'dataHub.key'

const count = (value: number) => formatNumber(value, { decimals: 0 })

/** What is done while a person waits, which many meters make long. */
const Waiting = ({ progress }: { progress: Progress | null }) => {
  const [sinceMs] = useState(Date.now)
  const seconds = Math.floor((useNow(1000) - sinceMs) / 1000)
  return (
    <Note size="small">
      <span role="status">
        {progress
          ? t('Eloverblik has no list ready, so the meters are asked for ten at a time.')
          : t('Eloverblik is listing the meters …')}
      </span>
      {progress && (
        <span className="gm-num">
          {' '}
          {t('{{done}} of {{count}} meters', { done: count(progress.done), count: progress.total })}
        </span>
      )}
      {seconds >= 2 && <span className="gm-num"> {t('{{seconds}} s so far', { seconds })}</span>}
    </Note>
  )
}

const KeyForm = ({ onClose }: { onClose: () => void }) => {
  const { form, field, formProps, sending, waitS } = useCallForm(addMeterGroup, {
    initial: { dataHub: { key: '' } },
    toBody: (values) => ({ ...values, watch }),
    onDone: onClose,
  })
  const { watch, progress } = useProgress(sending)
  const { key } = form.values.dataHub
  const isOdd = /^\d{8}$/.test(key) && !isRegularCvr(key)
  return (
    <form aria-label={t('Add Key')} {...formProps}>
      <Stack gap={12}>
        <TextInput
          label={t('Key (CVR)')}
          description={isOdd ? <Text ink="warn">{translateText(m.cvrChecksum)}</Text> : t('Eight digits')}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          {...field(path)}
          // As it is often written: 12 34 56 78
          onChange={({ currentTarget }) => form.setFieldValue(path, currentTarget.value.replaceAll(/\s/g, ''))}
        />
        {sending ? (
          <Waiting progress={progress} />
        ) : (
          <Note size="small">
            {t(
              'Adds the meters that your company has authorised in Eloverblik. They are read once you have configured them.',
            )}
          </Note>
        )}
      </Stack>
      <FormActions onCancel={onClose} sending={sending} waitS={waitS}>
        {t('Add Key')}
      </FormActions>
    </form>
  )
}
