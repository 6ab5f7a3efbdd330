import { type ReactNode, Suspense, useDeferredValue, useEffect, useRef } from 'react'
import { Tabs } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useMarked } from '#lib/marked.ts'
import classes from './Page.module.css'
import { ChartSkeleton } from './Loaded.tsx'
import { Panel } from './Panel.tsx'

type Tab<Name> = { name: Name; title: string; content: ReactNode }
type TabPageProps<Name> = {
  /** In order; false for an unavailable tab. The first one has no `tab` in the URL. */
  tabs: readonly (Tab<NoInfer<Name>> | false)[]
  current: Name | undefined
  /** URL parameters that remain when another tab opens. */
  kept?: object
}

/** Only the open tab is rendered; it stays until the address has changed, which unsaved changes may prevent. Another tab is a history entry. */
export const TabPage = <Name extends string>({ tabs, current, kept }: TabPageProps<Name>) => {
  const router = useRouter()
  const offered = tabs.filter((tab) => tab !== false)
  const [first] = offered
  const open = offered.find(({ name }) => name === current) ?? first
  const [marked, choose] = useMarked<string | undefined>(
    open?.name,
    (name) =>
      void router.navigate({ to: '.', search: { ...kept, ...(name === first?.name ? {} : { tab: name }) } as object }), // each screen has its own schema
  )
  const rendered = useDeferredValue(open?.name)
  const waiting = (title: string) => (
    <Panel label={title}>
      <ChartSkeleton height={320} />
    </Panel>
  )
  return (
    <Tabs
      value={marked ?? null}
      onChange={(name) => choose(name ?? undefined)}
      keepMounted={false}
      keepMountedMode="display-none"
      className={classes.tabs ?? ''}
    >
      <TabList current={marked ?? ''}>
        {offered.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </TabList>
      {offered.map(({ name, title, content }) => (
        <Tabs.Panel key={name} value={name} keepMounted={name === open?.name} className={classes.tab ?? ''}>
          {name === rendered ? <Suspense fallback={waiting(title)}>{content}</Suspense> : waiting(title)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** One row: on a phone it scrolls, fades at hidden tabs and keeps the open one visible. */
const TabList = ({ current, children }: { current: string; children: ReactNode }) => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[id$="-tab-${current}"]`)
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [current])
  return (
    <Tabs.List ref={list} className={classes.tabList ?? ''}>
      {children}
    </Tabs.List>
  )
}

type Props = {
  title: string
  words?: ReactNode
  children: ReactNode
  bare?: boolean
}

export const Section = ({ title, words, children, bare }: Props) => (
  <div className={classes.section}>
    <header className={classes.sectionHead}>
      <h2>{title}</h2>
      {words && <p>{words}</p>}
    </header>
    {bare ? children : <Panel label={title}>{children}</Panel>}
  </div>
)

export const Sections = ({ children }: { children: ReactNode }) => <main className={classes.sections}>{children}</main>

export const Page = ({ children }: { children: ReactNode }) => <main className={classes.page}>{children}</main>

export const Lead = ({ children }: { children: ReactNode }) => <p className={classes.lead}>{children}</p>
