import { t } from '#lib/i18n.ts'
import { Panel } from '#ui/Panel.tsx'
import { Link } from '@tanstack/react-router'
import type { Line } from './plan-words.ts'
import classes from './load-shifting.module.css'

/** What a plan or a backtest assumed or left out; nothing where there is nothing to say. */
export const Notices = ({ notices }: { notices: readonly Line[] }) => {
  if (notices.length === 0) return null
  return (
    <Panel title={t('Notes')} label={t('Notes')}>
      <ul className={classes.words}>
        {notices.map(({ text, isWarning, market }) => (
          <li key={text} data-warn={isWarning || undefined}>
            {text}
            {market !== undefined && (
              <>
                {' '}
                <Link
                  className="gm-link"
                  to="/demandResponse/$market"
                  params={{ market }}
                  search={{ tab: 'requestBid' }}
                >
                  {t('Open the bid request')}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
