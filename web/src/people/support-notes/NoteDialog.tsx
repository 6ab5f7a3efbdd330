import { Switch, Textarea, TextInput } from '@mantine/core'
import { createSupportNote, type SupportNote, updateSupportNote } from '@gridmast/contract/people/support-notes.ts'
import { today } from '@gridmast/contract/time.ts'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DateField } from '#ui/date/DateField.tsx'

type Props = { editing: SupportNote | 'new' | null; onClose: () => void }

const valuesOf = ({ title, description, released, enable }: SupportNote) => ({ title, description, released, enable })
const empty = () => ({ title: '', description: '', released: today(currentMs()), enable: true })

export const NoteDialog = ({ editing, onClose }: Props) => {
  const note = editing === 'new' ? null : editing
  return (
    <CallFormDialog
      title={editing === 'new' ? t('New note') : t('Edit note')}
      submit={note ? t('Save changes') : t('Create note')}
      call={note ? updateSupportNote : createSupportNote}
      initial={editing && { supportNote: note ? valuesOf(note) : empty() }}
      request={{ params: { id: note?._id } }}
      onClose={onClose}
    >
      {({ field, checkbox }) => (
        <>
          <TextInput label={t('Title')} autoComplete="off" data-autofocus {...field('supportNote.title')} />
          <DateField label={t('Created at')} required {...field('supportNote.released')} />
          <Textarea label={t('Description')} autosize minRows={4} maxRows={12} {...field('supportNote.description')} />
          {note && (
            <Switch
              withThumbIndicator={false}
              label={t('Open')}
              description={t('Switch it off when the matter is settled')}
              {...checkbox('supportNote.enable')}
            />
          )}
        </>
      )}
    </CallFormDialog>
  )
}
