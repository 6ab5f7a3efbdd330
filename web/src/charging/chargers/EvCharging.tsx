import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { ChargersTab } from './ChargersTab.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { TagsTab } from './TagsTab.tsx'
import { TransactionsTab } from './TransactionsTab.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { licenceOf } from '#shell/gate.ts'
import { PageTabs } from '#ui/PageTabs.tsx'
import { evSearch, type EvTab, evTabs } from './search.ts'

const titles: Record<EvTab, Sentence> = {
  details: 'Details',
  tag: 'Tag',
  transactions: 'Transactions',
  chargers: 'Chargers',
}
const [usual] = evTabs

/** Chargers, who may charge, and what was charged. */
const EvCharging = () => {
  const navigate = useNavigate()
  const [search, change] = useUrlState(evSearch)
  const licenceId = licenceOf(useUser(), { params: { name: 'evCharging' }, search })?._id ?? ''
  const tab = search.tab ?? usual
  // A tab is a place: all that belonged to the one before is left out, and back leads to it.
  const open = (next: string | null) => {
    const chosen = evTabs.find((name) => name === next && name !== usual)
    const { licenseTypeId } = search
    void navigate({
      to: '.',
      search: { ...(licenseTypeId ? { licenseTypeId } : {}), ...(chosen ? { tab: chosen } : {}) },
    })
  }
  const panels: Record<EvTab, ReactNode> = {
    details: <DetailsTab licenceId={licenceId} search={search} onSearch={change} />,
    tag: <TagsTab search={search} onSearch={change} />,
    transactions: <TransactionsTab licenceId={licenceId} search={search} onSearch={change} />,
    chargers: <ChargersTab licenceId={licenceId} />,
  }
  return (
    <main>
      <PageTabs names={evTabs} title={(name) => t(titles[name])} shown={tab} onOpen={open}>
        {panels[tab]}
      </PageTabs>
    </main>
  )
}

export default EvCharging
