import { useTranslation } from '#lib/i18n.ts'
import { Panel } from '#ui/Panel.tsx'
import type { Line } from './plan-words.ts'
import classes from './load-shifting.module.css'

/** What a plan or a backtest assumed or left out; nothing where there is nothing to say. */
export const Notices = ({ notices }: { notices: readonly Line[] }) => {
  const { t } = useTranslation()
  if (notices.length === 0) return null
  return (
    <Panel title={t('Worth knowing')} label={t('Worth knowing')}>
      <ul className={classes.words}>
        {notices.map(({ text, isWarning }) => (
          <li key={text} data-warn={isWarning || undefined}>
            {text}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
