import { PlanList, SavingsList } from './Lists.tsx'
import classes from './load-shifting.module.css'
import { PlanCards, useFormLoad } from './PlanCards.tsx'
import { PlanForm } from './PlanForm.tsx'
import { t } from '#lib/i18n.ts'
import { anotherList, useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { TabPage } from '#ui/Page.tsx'
import { loadShiftingSearch } from './search.ts'
import { loadShiftingTabs } from './tabs.ts'

export type TabProps = {
  /** The id of the plan or backtest in the address. */
  id: string | undefined
  loadId: string | undefined
  mayEdit: boolean
  onOpen: (id: string) => void
  /** The form keeps its load and the typed values. */
  onMade: (id: string, loadId: string | null) => void
  onLoad: (loadId: string) => void
}

const PlanTab = ({ id, loadId, mayEdit, onOpen, onMade, onLoad }: TabProps) => {
  const formLoad = useFormLoad(id, loadId)
  return (
    <>
      <div className={classes.plan}>
        {mayEdit && <PlanForm onMade={onMade} loadId={formLoad} onLoad={onLoad} />}
        <PlanCards planId={id} loadId={loadId} mayEdit={mayEdit} onOpen={onOpen} />
      </div>
      <PlanList onOpen={onOpen} />
    </>
  )
}

const LoadShifting = () => {
  const [{ tab = 'plan', load, plan, backtest }, change] = useUrlState(loadShiftingSearch)
  const mayEdit = useCan('load-shifting.edit')
  const open = (planId: string, loadId?: string | null) =>
    change({ plan: planId, load: loadId ?? undefined, tab: undefined, ...(tab === 'plan' ? {} : anotherList) })
  const openBacktest = (next: string, loadId?: string | null) => change({ backtest: next, load: loadId ?? undefined })
  const onLoad = (next: string) => change({ load: next, plan: undefined, backtest: undefined })
  const common = { loadId: load, mayEdit, onLoad }
  return (
    <main>
      <TabPage
        current={tab}
        kept={{ load, plan, backtest }}
        tabs={[
          { name: 'plan', title: t('Plan'), content: <PlanTab id={plan} onOpen={open} onMade={open} {...common} /> },
          { name: 'savings', title: t('Savings'), content: <SavingsList onOpen={open} /> },
          {
            name: 'backtest',
            title: t('Backtest'),
            content: (
              <loadShiftingTabs.backtest id={backtest} onOpen={openBacktest} onMade={openBacktest} {...common} />
            ),
          },
        ]}
      />
    </main>
  )
}

export default LoadShifting
