import type { ReactNode } from 'react'
import { Panel } from './Panel.tsx'
import classes from './Section.module.css'

type Props = {
  title: string
  words?: ReactNode
  badge?: ReactNode
  children: ReactNode
  /** The content has its own card. */
  bare?: boolean
}

/** A section of a settings page: its description next to the card, or above it on narrow screens. */
export const Section = ({ title, words, badge, children, bare }: Props) => (
  <div className={classes.section}>
    <header className={classes.lead}>
      <h2>
        {title}
        {badge}
      </h2>
      {words && <p>{words}</p>}
    </header>
    {bare ? children : <Panel label={title}>{children}</Panel>}
  </div>
)

export const Sections = ({ children }: { children: ReactNode }) => <main className={classes.sections}>{children}</main>
