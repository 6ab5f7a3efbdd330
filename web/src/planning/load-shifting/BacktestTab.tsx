import { BacktestCards, useBacktestLoad } from './BacktestCards.tsx'
import { BacktestForm } from './BacktestForm.tsx'
import { BacktestList } from './Lists.tsx'
import type { TabProps } from './LoadShifting.tsx'
import classes from './load-shifting.module.css'

export const BacktestTab = ({ id, loadId, mayEdit, onOpen, onMade, onLoad }: TabProps) => {
  const formLoad = useBacktestLoad(id, loadId)
  return (
    <>
      <div className={classes.plan}>
        {mayEdit && <BacktestForm onMade={onMade} loadId={formLoad} onLoad={onLoad} />}
        <BacktestCards backtestId={id} loadId={loadId} mayEdit={mayEdit} />
      </div>
      <BacktestList onOpen={onOpen} />
    </>
  )
}
