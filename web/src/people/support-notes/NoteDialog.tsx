import { Switch, Textarea, TextInput } from '@mantine/core'
import { createSupportNote, type SupportNote, updateSupportNote } from '@gridmast/contract/people/support-notes.ts'
import { today } from '@gridmast/contract/time.ts'
import { useEffect } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Stack } from '#ui/Layout.tsx'

const fields = ['supportNote.title', 'supportNote.released', 'supportNote.description']

type Props = { editing: SupportNote | 'new' | null; onClose: () => void }

/** A note is written or changed. */
export const NoteDialog = ({ editing, onClose }: Props) => (
  <FormDialog editing={editing} title={editing === 'new' ? t('New note') : t('Edit note')} onClose={onClose}>
    {(one, tools) => <NoteForm note={one === 'new' ? null : one} {...tools} />}
  </FormDialog>
)

const valuesOf = ({ title, description, released, enable }: SupportNote) => ({ title, description, released, enable })
const empty = () => ({ title: '', description: '', released: today(currentMs()), enable: true })

type FormProps = {
  note: SupportNote | null
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
}

const NoteForm = ({ note, onUnsaved, onCancel, onDone }: FormProps) => {
  const initial = { supportNote: note ? valuesOf(note) : empty() }
  const common = { initial, fields, onDone }
  const creating = useCallForm(createSupportNote, common)
  const updating = useCallForm(updateSupportNote, { ...common, beside: () => ({ params: { id: note?._id } }) })
  const { form, field, submit, sending, waitS } = note ? updating : creating
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  return (
    <form noValidate aria-label={note ? t('Edit note') : t('New note')} onSubmit={submit}>
      <Stack gap={16}>
        <TextInput label={t('Title')} autoComplete="off" data-autofocus {...field('supportNote.title')} />
        <DateField
          label={t('Created at')}
          required
          data-path="supportNote.released"
          value={form.values.supportNote.released}
          error={form.errors['supportNote.released']}
          onChange={(released) => form.setFieldValue('supportNote.released', released)}
        />
        <Textarea label={t('Description')} autosize minRows={4} maxRows={12} {...field('supportNote.description')} />
        {note && (
          <Switch
            withThumbIndicator={false}
            label={t('Open')}
            description={t('Switch it off when the matter is settled')}
            {...form.getInputProps('supportNote.enable', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {note ? t('Save changes') : t('Create note')}
      </FormActions>
    </form>
  )
}
