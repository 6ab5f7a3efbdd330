import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './TabList.module.css'

type Props = { shown: string; children: ReactNode }

/** In one row: on a phone it scrolls, fades where there are more, and has the open one in sight. */
export const TabList = ({ shown, children }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[id$="-tab-${shown}"]`)
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [shown])
  return (
    <Tabs.List ref={list} className={classes.list ?? ''}>
      {children}
    </Tabs.List>
  )
}
