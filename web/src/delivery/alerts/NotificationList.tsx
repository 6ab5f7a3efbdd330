import type { Data } from '@gridmast/contract/call.ts'
import type { notifications } from '@gridmast/contract/notifications/triggered.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { formatTime } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { licenceTitle, subjectOf, useUser } from '#lib/user.tsx'
import { StatusDot } from '#ui/Tag.tsx'
import { triggerName } from './alert-words.ts'
import { Stack } from '#ui/Layout.tsx'
import classes from './alerts.module.css'

type ItemProps = {
  name: string
  licence: string
  triggerTime: string
  /** Without one the item is not a link. */
  link: ((words: ReactNode) => ReactNode) | false
}

const Item = ({ name, licence, triggerTime, link }: ItemProps) => {
  const words = (
    <>
      <StatusDot status="stale" />
      <b>{name}</b>
      <time dateTime={triggerTime}>{formatTime(Date.parse(triggerTime))}</time>
      <span>{licenceTitle(licence)}</span>
    </>
  )
  return <li>{link ? link(words) : <div className={classes.item}>{words}</div>}</li>
}

type Props = { found: Data<typeof notifications>; onOpen?: () => void }

export const NotificationList = ({ found: { latestData, budgets, totalCount }, onOpen }: Props) => {
  const opens = screenRefusal(subjectOf(useUser()), 'e3App') === null
  const more = totalCount - latestData.length - budgets.length
  const [newest] = latestData
  const moreText = t('and {{count}} more today', { count: more })
  return (
    <>
      <Stack as="ul" className={classes.notifications}>
        {budgets.map(({ scope, name, state, triggerTime }) => {
          const search = { tab: 'tag' as const, ...(scope === 'group' ? { subTab: 'group' as const } : {}) }
          const link = (words: ReactNode) => (
            <Link to="/e3-App/evCharging" search={search} onClick={() => onOpen?.()}>
              {words}
            </Link>
          )
          const text =
            state === 'spent'
              ? t('Charging budget of {{name}} is spent', { name })
              : t('Charging budget of {{name}} is nearly spent', { name })
          const key = `${name} ${triggerTime} ${state}`
          return <Item key={key} name={text} licence="evCharging" triggerTime={triggerTime} link={opens && link} />
        })}
        {latestData.map(({ _id, source, triggerTime, ...named }) => {
          const link = (words: ReactNode) => (
            <Link to="/e3-Legacy/$source" params={{ source }} search={{ trigger: _id }} onClick={() => onOpen?.()}>
              {words}
            </Link>
          )
          const name = triggerName(named)
          return <Item key={_id} name={name} licence={source} triggerTime={triggerTime} link={opens && link} />
        })}
      </Stack>
      {more > 0 && newest && (
        <p className="gm-meta">
          {opens ? (
            <Link
              className="gm-link"
              to="/e3-App/$name"
              params={{ name: newest.source }}
              search={{ tab: 'alerts', subTab: 'triggered' }}
              onClick={() => onOpen?.()}
            >
              {moreText}
            </Link>
          ) : (
            moreText
          )}
        </p>
      )}
    </>
  )
}
