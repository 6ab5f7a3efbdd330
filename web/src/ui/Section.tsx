import type { ReactNode } from 'react'
import { Panel } from './Panel.tsx'
import classes from './Section.module.css'

type Props = { title: string; words?: ReactNode; badge?: ReactNode; children: ReactNode; bleed?: boolean }

/** One subject of a settings page: what it is about beside its card, above it where there is no room. */
export const Section = ({ title, words, badge, children, bleed }: Props) => (
  <div className={classes.section}>
    <header className={classes.lead}>
      <h2>
        {title}
        {badge}
      </h2>
      {words && <p>{words}</p>}
    </header>
    <Panel label={title} bleed={bleed ?? false}>
      {children}
    </Panel>
  </div>
)

export const Sections = ({ children }: { children: ReactNode }) => <main className={classes.sections}>{children}</main>
