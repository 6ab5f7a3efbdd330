import { BacktestCards } from '#features/load-shifting/BacktestCards.tsx'
import { BacktestForm } from '#features/load-shifting/BacktestForm.tsx'
import { BacktestList } from '#features/load-shifting/BacktestList.tsx'
import classes from '#features/load-shifting/load-shifting.module.css'
import { PlanCards } from '#features/load-shifting/PlanCards.tsx'
import { PlanForm } from '#features/load-shifting/PlanForm.tsx'
import { PlanList } from '#features/load-shifting/PlanList.tsx'
import { SavingsList } from '#features/load-shifting/SavingsList.tsx'
import { useTranslation } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { Page } from '#ui/Page.tsx'
import { Segments } from '#ui/Segments.tsx'
import { loadShiftingSearch } from './search.ts'

/** Plans that move consumption to cheaper and cleaner quarters: make one, follow it, and see what it was worth. */
const LoadShifting = () => {
  const { t } = useTranslation()
  const [{ tab = 'plan', plan, backtest, page = 1 }, change] = useUrlState(loadShiftingSearch)
  const mayEdit = useCan('load-shifting.edit')
  const open = (planId: string | undefined) => change({ plan: planId, tab: undefined, page: undefined })
  const openBacktest = (next: string) => change({ backtest: next, page: undefined })
  const list = { page, onPage: (next: number) => change({ page: next === 1 ? undefined : next }) }
  return (
    <Page>
      <div className={classes.tabs}>
        <Segments
          label={t('Load Shifting')}
          value={tab}
          onChange={(next) => change({ tab: next === 'plan' ? undefined : next, page: undefined })}
          data={[
            { value: 'plan', label: t('Plan') },
            { value: 'savings', label: t('Savings') },
            { value: 'backtest', label: t('Backtest') },
          ]}
        />
      </div>
      {tab === 'plan' && (
        <>
          <div className={classes.plan}>
            {mayEdit && <PlanForm onMade={open} />}
            <PlanCards planId={plan} mayEdit={mayEdit} onOpen={open} />
          </div>
          <PlanList {...list} onOpen={open} />
        </>
      )}
      {tab === 'backtest' && (
        <>
          <div className={classes.plan}>
            {mayEdit && <BacktestForm onMade={openBacktest} />}
            <BacktestCards backtestId={backtest} mayEdit={mayEdit} />
          </div>
          <BacktestList {...list} onOpen={openBacktest} />
        </>
      )}
      {tab === 'savings' && <SavingsList {...list} onOpen={open} />}
    </Page>
  )
}

export default LoadShifting
