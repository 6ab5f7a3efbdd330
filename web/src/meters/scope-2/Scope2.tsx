import { ReportCard } from './ReportCard.tsx'
import { ReportForm } from './ReportForm.tsx'
import { ReportList } from './ReportList.tsx'
import classes from './scope-2.module.css'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { scope2Search } from './search.ts'

/** What the electricity of the own meters emitted: make a report, read it, find the ones before. */
const Scope2 = () => {
  const [search, change] = useUrlState(scope2Search)
  const open = (report: string | undefined) => change({ report, by: undefined })
  const mayRemove = useCan('scope-2.remove')
  return (
    <main className={classes.page}>
      {useCan('scope-2.make') && <ReportForm onMade={open} />}
      {search.report && (
        <ReportCard
          key={search.report}
          reportId={search.report}
          part={search.by ?? 'months'}
          onPart={(by) => change({ by: by === 'months' ? undefined : by })}
          onRemoved={mayRemove ? () => open(undefined) : undefined}
        />
      )}
      <ReportList onOpen={open} />
    </main>
  )
}

export default Scope2
