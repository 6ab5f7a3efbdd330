import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { say, useTranslation } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { useHere, useTitle } from '#shell/here.ts'
import { useNav } from '#shell/nav-context.ts'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './Places.module.css'

/** What stands under one entry of the sidebar, as a list to choose from. */
const Places = () => {
  const { t } = useTranslation()
  const user = useUser()
  const title = useTitle(user)
  const { sidebar } = useNav()
  const { path, screen } = useHere()
  const places = screen.entries?.(user) ?? sidebar.find((entry) => entry.key === path)?.children ?? []
  return (
    <main>
      <Panel title={title} note={user.customerId.name} label={title} bleed>
        {places.length === 0 && (
          <Empty title={t('Nothing is enabled for your company')}>
            {t('Ask your company’s administrator for access.')}
          </Empty>
        )}
        <ul className={classes.places}>
          {places.map((entry) => (
            <li key={entry.key}>
              <Link {...entry.address}>
                <entry.icon size={19} stroke={1.6} aria-hidden />
                <span>
                  {say(entry.title)}
                  {entry.words && <small>{say(entry.words)}</small>}
                </span>
                <IconChevronRight size={16} stroke={1.8} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </main>
  )
}

export default Places
