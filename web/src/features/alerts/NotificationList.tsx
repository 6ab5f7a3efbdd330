import type { Data } from '@gridmast/contract/call.ts'
import { type notifications } from '@gridmast/contract/alerts.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { formatTime } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#lib/i18n.ts'
import { subjectOf, useUser } from '#lib/user.tsx'
import { StatusDot } from '#ui/StatusDot.tsx'
import classes from './alerts.module.css'

type Props = { found: Data<typeof notifications>; onOpen?: () => void }

/** The newest triggered alerts of today, each leading to its page; who may not open that only reads them here. */
export const NotificationList = ({ found: { latestData, totalCount }, onOpen }: Props) => {
  const { t, say } = useTranslation()
  const opens = screenRefusal(subjectOf(useUser()), 'e3App') === null
  const more = totalCount - latestData.length
  return (
    <>
      <ul className={classes.notifications}>
        {latestData.map(({ _id, name, source, triggerTime }) => {
          const words = (
            <>
              <StatusDot status="stale" />
              <b>{say(name)}</b>
              <time dateTime={triggerTime}>{formatTime(Date.parse(triggerTime))}</time>
              <span>{source}</span>
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
      {more > 0 && <p className="gm-meta">{t('and {{count}} more today', { count: more })}</p>}
    </>
  )
}
