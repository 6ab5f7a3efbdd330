import type { Data } from '@gridmast/contract/call.ts'
import type { notifications } from '@gridmast/contract/notifications/triggered.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { formatTime } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { licenceTitle, subjectOf, useUser } from '#lib/user.tsx'
import { StatusDot } from '#ui/Tag.tsx'
import { triggerName } from './alert-words.ts'
import classes from './alerts.module.css'

type Props = { found: Data<typeof notifications>; onOpen?: () => void }
type Budget = Data<typeof notifications>['budgets'][number]

/** A charging budget that is nearly or wholly spent, leading to the tags or groups. */
const BudgetItem = ({ budget: { scope, name, state, triggerTime }, opens, onOpen }: BudgetProps) => {
  const words = (
    <>
      <StatusDot status="stale" />
      <b>
        {state === 'spent'
          ? t('Charging budget of {{name}} is spent', { name })
          : t('Charging budget of {{name}} is nearly spent', { name })}
      </b>
      <time dateTime={triggerTime}>{formatTime(Date.parse(triggerTime))}</time>
      <span>{licenceTitle('evCharging')}</span>
    </>
  )
  const search = { tab: 'tag' as const, ...(scope === 'group' ? { subTab: 'group' as const } : {}) }
  return (
    <li>
      {opens ? (
        <Link to="/e3-App/evCharging" search={search} onClick={() => onOpen?.()}>
          {words}
        </Link>
      ) : (
        <div className={classes.told}>{words}</div>
      )}
    </li>
  )
}
type BudgetProps = { budget: Budget; opens: boolean; onOpen: Props['onOpen'] }

/** The newest triggered alerts of today, each leading to its page; who may not open that only reads them here. */
export const NotificationList = ({ found: { latestData, budgets, totalCount }, onOpen }: Props) => {
  const opens = screenRefusal(subjectOf(useUser()), 'e3App') === null
  const more = totalCount - latestData.length - budgets.length
  return (
    <>
      <ul className={classes.notifications}>
        {budgets.map((budget) => (
          <BudgetItem key={`${budget.name} ${budget.triggerTime} ${budget.state}`} {...{ budget, opens, onOpen }} />
        ))}
        {latestData.map(({ _id, source, triggerTime, ...named }) => {
          const words = (
            <>
              <StatusDot status="stale" />
              <b>{triggerName(named)}</b>
              <time dateTime={triggerTime}>{formatTime(Date.parse(triggerTime))}</time>
              <span>{licenceTitle(source)}</span>
            </>
          )
          return (
            <li key={_id}>
              {opens ? (
                <Link to="/e3-Legacy/$source" params={{ source }} search={{ trigger: _id }} onClick={() => onOpen?.()}>
                  {words}
                </Link>
              ) : (
                <div className={classes.told}>{words}</div>
              )}
            </li>
          )
        })}
      </ul>
      {more > 0 && latestData[0] && (
        <p className="gm-meta">
          {opens ? (
            <Link
              className="gm-link"
              to="/e3-App/$name"
              params={{ name: latestData[0].source }}
              search={{ tab: 'alerts', subTab: 'triggered' }}
              onClick={() => onOpen?.()}
            >
              {t('and {{count}} more today', { count: more })}
            </Link>
          ) : (
            t('and {{count}} more today', { count: more })
          )}
        </p>
      )}
    </>
  )
}
