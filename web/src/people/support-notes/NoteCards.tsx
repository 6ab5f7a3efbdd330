import { ActionIcon } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { findSupportNotes, type SupportNote } from '@gridmast/contract/people/support-notes.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextCard, TextCards } from '#ui/TextCards.tsx'
import { NoteDialog } from './NoteDialog.tsx'
import classes from './support-notes.module.css'

type Props = { page: number; onPage: (page: number) => void }

/** A card to add a note, and one for each note; closed ones come last. */
export const NoteCards = ({ page, onPage }: Props) => {
  const mayEdit = useCan('support-note.edit')
  const query = { limit: limits.pageSize, skip: (page - 1) * limits.pageSize }
  const read = useCall(findSupportNotes, { sent: { query }, keepWhile: 'support notes' })
  const [editing, setEditing] = useState<SupportNote | 'new' | null>(null)
  const add = mayEdit && page === 1 && (
    <button type="button" className={classes.add} onClick={() => setEditing('new')}>
      <IconPlus size={19} stroke={1.6} aria-hidden />
      {t('Add note')}
    </button>
  )
  return (
    <>
      <TextCards
        label={t('Support Notes')}
        query={read}
        failed={t('The notes could not be loaded.')}
        items={read.data?.supportNotes ?? []}
        first={add}
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
                <ActionIcon aria-label={t('Edit {{name}}', { name: note.title })} onClick={() => setEditing(note)}>
                  <IconPencil size={16} stroke={1.8} />
                </ActionIcon>
              )
            }
          />
        )}
        paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
      />
      <NoteDialog editing={editing} onClose={() => setEditing(null)} />
    </>
  )
}
