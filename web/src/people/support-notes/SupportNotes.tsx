import { ActionIcon, Switch, Textarea, TextInput } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import {
  createSupportNote,
  findSupportNotes,
  type SupportNote,
  updateSupportNote,
} from '@gridmast/contract/people/support-notes.ts'
import { formatDate, today } from '@gridmast/contract/time.ts'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { usePage } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { Lead, Page } from '#ui/Page.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextCard, TextCards } from '#ui/TextCards.tsx'
import classes from '#people/people.module.css'
import { TextButton } from '#ui/Layout.tsx'

/** A card to add a note, and a card for each note; closed ones are last. */
const SupportNotes = () => {
  const mayEdit = useCan('support-note.edit')
  const [page, onPage] = usePage()
  const query = { limit: limits.pageSize, skip: (page - 1) * limits.pageSize }
  const read = useCall(findSupportNotes, { sent: { query }, keepWhile: 'support notes' })
  const [edited, setEdited] = useState<SupportNote | 'new' | null>(null)
  return (
    <Page>
      {mayEdit && (
        <Lead>
          {t(
            'Write to the support team. An open note is answered within 24 hours; close it when the matter is resolved.',
          )}
        </Lead>
      )}
      <TextCards
        label={t('Support Notes')}
        query={read}
        failed={t('The notes could not be loaded.')}
        items={read.data?.supportNotes ?? []}
        first={
          mayEdit &&
          page === 1 && (
            <TextButton strong className={classes.add} onClick={() => setEdited('new')}>
              <IconPlus size={19} stroke={1.6} aria-hidden />
              {t('Add note')}
            </TextButton>
          )
        }
        emptyReason={t('Your company has no support notes.')}
        renderItem={(note) => (
          <TextCard
            key={note._id}
            title={note.title}
            meta={
              <>
                <Tag kind={note.enable ? 'brand' : 'plain'}>{note.enable ? t('Open') : t('Closed')}</Tag>
                <span className="gm-num">
                  {note.application} · {formatDate(note.released)}
                </span>
              </>
            }
            text={note.description}
            tools={
              mayEdit && (
                <ActionIcon aria-label={t('Edit {{name}}', { name: note.title })} onClick={() => setEdited(note)}>
                  <IconPencil size={16} stroke={1.8} />
                </ActionIcon>
              )
            }
          />
        )}
        paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
      />
      <NoteDialog edited={edited} onClose={() => setEdited(null)} />
    </Page>
  )
}

const valuesOf = ({ title, description, released, enable }: SupportNote) => ({ title, description, released, enable })
const newNote = () => ({ title: '', description: '', released: today(currentMs()), enable: true })

const NoteDialog = ({ edited, onClose }: { edited: SupportNote | 'new' | null; onClose: () => void }) => {
  const note = edited === 'new' ? null : edited
  return (
    <CallFormDialog
      title={edited === 'new' ? t('New note') : t('Edit note')}
      submit={note ? t('Save changes') : t('Create note')}
      call={note ? updateSupportNote : createSupportNote}
      initial={edited && { supportNote: note ? valuesOf(note) : newNote() }}
      request={{ params: { id: note?._id } }}
      onClose={onClose}
    >
      {({ field, checkbox }) => (
        <>
          <TextInput label={t('Title')} autoComplete="off" data-autofocus {...field('supportNote.title')} />
          <DateField label={t('Created at')} required {...field('supportNote.released')} />
          <Textarea label={t('Description')} {...field('supportNote.description')} />
          {note && (
            <Switch
              withThumbIndicator={false}
              label={t('Open')}
              description={t('Turn off when the matter is resolved')}
              {...checkbox('supportNote.enable')}
            />
          )}
        </>
      )}
    </CallFormDialog>
  )
}

export default SupportNotes
