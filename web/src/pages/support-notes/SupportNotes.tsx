import { NoteCards } from '#features/support-notes/NoteCards.tsx'
import { useTranslation } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { usePage } from '#lib/url-state.ts'
import classes from './SupportNotes.module.css'

const SupportNotes = () => {
  const { t } = useTranslation()
  const mayEdit = useCan('support-note.edit')
  const [page, onPage] = usePage()
  return (
    <main className={classes.page}>
      {mayEdit && (
        <p className={classes.lead}>
          {t(
            'Write to the support team. An open note is answered within 24 hours; close it when the matter is settled.',
          )}
        </p>
      )}
      <NoteCards page={page} onPage={onPage} />
    </main>
  )
}

export default SupportNotes
