import { NoteCards } from './NoteCards.tsx'
import { t } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { usePage } from '#lib/url-state.ts'
import { Lead, Page } from '#ui/Page.tsx'

const SupportNotes = () => {
  const mayEdit = useCan('support-note.edit')
  const [page, onPage] = usePage()
  return (
    <Page>
      {mayEdit && (
        <Lead>
          {t(
            'Write to the support team. An open note is answered within 24 hours; close it when the matter is settled.',
          )}
        </Lead>
      )}
      <NoteCards page={page} onPage={onPage} />
    </Page>
  )
}

export default SupportNotes
