import { useState } from 'react'
import { deviceStorage } from '#lib/store.ts'

/** What may be hidden; start, direction and the actions always stand there. */
export const choosable = ['deltaLoad', 'delivered', 'extreme', 'duration', 'consumption', 'score', 'capacity'] as const
export type ChoosableColumn = (typeof choosable)[number]

const usual: readonly ChoosableColumn[] = ['deltaLoad', 'extreme', 'duration', 'consumption', 'score']
const key = 'GM_EVENT_COLUMNS'

const stored = (): readonly ChoosableColumn[] => {
  const text = deviceStorage.read(key)
  return text === null ? usual : choosable.filter((name) => text.split(',').includes(name))
}

/** Which columns the table of events has, remembered on this device. */
export const useShownColumns = (): [readonly ChoosableColumn[], (shown: readonly ChoosableColumn[]) => void] => {
  const [shown, setShown] = useState(stored)
  const choose = (next: readonly ChoosableColumn[]) => {
    deviceStorage.write(key, next.join(','))
    setShown(next)
  }
  return [shown, choose]
}
