import { VersionCards } from '#features/versions/VersionCards.tsx'
import { usePage } from '#lib/url-state.ts'

const VersionHistory = () => {
  const [page, onPage] = usePage()
  return (
    <main>
      <VersionCards page={page} onPage={onPage} />
    </main>
  )
}

export default VersionHistory
