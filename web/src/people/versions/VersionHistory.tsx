import { VersionCards } from './VersionCards.tsx'
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
