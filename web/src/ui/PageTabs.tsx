import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './PageTabs.module.css'

type Props<Name extends string> = {
  names: readonly Name[]
  title: (name: Name) => string
  shown: Name
  onOpen: (name: string | null) => void
  /** The content of the open tab. */
  children: ReactNode
}

/** The tabs of a page, in one row: on a phone it scrolls, fades where there are more, and has the open one in sight. */
export const PageTabs = <Name extends string>({ names, title, shown, onOpen, children }: Props<Name>) => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[id$="-tab-${shown}"]`)
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [shown])
  return (
    <Tabs value={shown} onChange={onOpen} keepMounted={false} className={classes.tabs ?? ''}>
      <Tabs.List ref={list} className={classes.list ?? ''}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {title(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel key={shown} value={shown} className={classes.panel ?? ''}>
        {children}
      </Tabs.Panel>
    </Tabs>
  )
}
