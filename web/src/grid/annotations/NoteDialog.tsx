import { Textarea, TextInput } from '@mantine/core'
import { type Note, createNote, updateNote } from '@gridmast/contract/delivery/annotations.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { momentOf, parseMoment } from '#ui/date/typed-date.ts'
import { Row } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import type { Marked } from './search.ts'

type Props = {
  marked: Marked
  editing: Note | 'new' | null
  /** The shown window: a new note is at its end, or now. */
  span: Span
  onClose: () => void
}

type Draft = { text: string; from: string; to: string; scope: 'instance' | 'company' }

const draftOf = (editing: Note | 'new', { kind }: Marked, { fromMs, toMs }: Span): Draft => {
  if (editing === 'new') {
    const now = currentMs()
    const from = momentOf(now >= fromMs && now < toMs ? now : fromMs)
    return { text: '', from, to: '', scope: kind ? 'company' : 'instance' }
  }
  const { text, from, to, instanceId } = editing
  const scope = instanceId === null ? 'company' : 'instance'
  return { text, from: momentOf(Date.parse(from)), to: to ? momentOf(Date.parse(to)) : '', scope }
}

/** The typed text when it is no moment, which the schema refuses. */
const instantOf = (typed: string, edge: 'start' | 'end') => {
  const ms = parseMoment(typed, edge)
  return ms === null ? typed : new Date(ms).toISOString()
}

export const NoteDialog = ({ marked, editing, span, onClose }: Props) => {
  const note = editing === 'new' ? null : editing
  const toBody = ({ text, from, to, scope }: Draft) => ({
    text,
    from: instantOf(from, 'start'),
    to: to.trim() ? instantOf(to, 'end') : instantOf(from, 'start'),
    ...(note ? {} : { instanceId: scope === 'company' ? null : marked._id }),
  })
  return (
    <CallFormDialog
      title={note ? t('Change note') : t('Write note')}
      submit={note ? t('Save changes') : t('Write note')}
      size={480}
      call={note ? updateNote : createNote}
      initial={editing && draftOf(editing, marked, span)}
      toBody={toBody}
      request={note ? { params: { id: note._id } } : {}}
      onClose={onClose}
    >
      {({ field, form, values }) => (
        <>
          <Textarea label={t('Note')} maxLength={limits.noteMax} data-autofocus {...field('text')} />
          <Row gap={12} align="start">
            <TextInput label={t('From')} w={200} placeholder={t('DD.MM.YYYY HH:mm')} {...field('from')} />
            <TextInput
              label={t('To')}
              w={200}
              placeholder={t('DD.MM.YYYY HH:mm')}
              {...field('to')}
              withAsterisk={false}
            />
          </Row>
          {!note && !marked.kind && (
            <Segments
              label={t('Shown on')}
              data={[
                { value: 'instance', label: marked.name },
                { value: 'company', label: t('All charts') },
              ]}
              value={values.scope}
              onChange={(scope) => form.setFieldValue('scope', scope)}
            />
          )}
        </>
      )}
    </CallFormDialog>
  )
}
