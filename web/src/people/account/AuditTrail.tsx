import { addDays, today } from '@gridmast/contract/time.ts'
import { type AuditFilter, AuditTable } from '#people/audit/AuditTable.tsx'
import { VerifyChain } from '#people/audit/VerifyChain.tsx'
import { useNow } from '#lib/clock.ts'
import { useUrlState } from '#lib/url-state.ts'
import { Page } from '#ui/Page.tsx'
import { auditSearch } from './audit-search.ts'

const AuditTrail = () => {
  const [search, change] = useUrlState(auditSearch)
  const now = today(useNow(60_000))
  const usual: AuditFilter = { start: addDays(now, -29), end: now, who: '', action: '', show: 'changes' }
  const chosen = [search.start ?? search.end, search.who, search.action, search.show].filter(Boolean).length
  const given = {
    start: search.start ?? usual.start,
    end: search.end ?? usual.end,
    who: search.who ?? usual.who,
    action: search.action ?? usual.action,
    show: search.show ?? usual.show,
  }
  // An address written by hand may have them the wrong way round.
  const filter = given.start > given.end ? { ...given, start: given.end } : given
  const onFilter = (part: Partial<AuditFilter>) => {
    const next = { ...filter, ...part }
    const named = <K extends keyof AuditFilter>(key: K) => (next[key] === usual[key] ? undefined : next[key])
    change({
      start: named('start'),
      end: named('end'),
      who: named('who'),
      action: named('action'),
      show: named('show'),
      page: undefined,
    })
  }
  return (
    <Page>
      <AuditTable filter={filter} chosen={chosen} today={now} onFilter={onFilter} below={<VerifyChain />} />
    </Page>
  )
}

export default AuditTrail
