import { markets } from '@gridmast/contract/markets.ts'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { useCurrentScreen, useTitle } from '#shell/current-screen.ts'
import { type NavEntry, useNav } from '#shell/nav.ts'
import { Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { EntryFigure } from './EntryFigure.tsx'
import classes from './SectionIndex.module.css'
import { Stack, Under } from '#ui/Layout.tsx'

const natural = new Intl.Collator('da', { numeric: true })
const marketOrder = Object.keys(markets)
/** Daily content before reference pages. */
const insightsOrder = ['dayahead', 'carbonemission', 'dataHub', 'scope2', 'loadShifting', 'revenuePotentialCalculator']

const rankOf = ({ key, title }: NavEntry): number => {
  const [order, name] = key.startsWith('/insights/') ? [insightsOrder, key.slice(10)] : [marketOrder, title]
  const rank = order.indexOf(name)
  return rank < 0 ? order.length : rank
}

const SectionIndex = () => {
  const user = useUser()
  const title = useTitle(user)
  const { sidebar } = useNav()
  const { path, screen } = useCurrentScreen()
  const children = screen.entries?.(user) ?? sidebar.find((entry) => entry.key === path)?.children ?? []
  const entries = children.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (screen.entries ? natural.compare(a.title, b.title) : 0),
  )
  return (
    <main>
      <Panel title={title} note={user.customerId.name} label={title} bleed>
        {entries.length === 0 && (
          <Empty title={t('Nothing is enabled for your company')}>
            {t('Ask your company’s administrator for access.')}
          </Empty>
        )}
        <Stack as="ul" className={classes.entries}>
          {entries.map((entry) => (
            <li key={entry.key}>
              <Link {...entry.address}>
                <entry.icon size={19} stroke={1.6} aria-hidden />
                <span>
                  {translateText(entry.title)}
                  {entry.words && <Under size="label">{translateText(entry.words)}</Under>}
                </span>
                <EntryFigure entry={entry} />
                <IconChevronRight size={16} stroke={1.8} aria-hidden />
              </Link>
            </li>
          ))}
        </Stack>
      </Panel>
    </main>
  )
}

export default SectionIndex
