import type { ReactNode } from 'react'
import classes from './Page.module.css'
import { Panel } from './Panel.tsx'

type Props = {
  title: string
  words?: ReactNode
  badge?: ReactNode
  children: ReactNode
  bare?: boolean
}

export const Section = ({ title, words, badge, children, bare }: Props) => (
  <div className={classes.section}>
    <header className={classes.sectionHead}>
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

export const Page = ({ children }: { children: ReactNode }) => <main className={classes.page}>{children}</main>

export const Lead = ({ children }: { children: ReactNode }) => <p className={classes.lead}>{children}</p>
