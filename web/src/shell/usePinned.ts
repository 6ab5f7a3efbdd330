import { useState } from 'react'
import { deviceStorage } from '#lib/storage.ts'

const pinnedKey = 'GM_SIDEBAR'

/** Whether the sidebar stays open, remembered on this device. */
export const usePinned = (): [boolean, (pinned: boolean) => void] => {
  const [pinned, setPinned] = useState(() => deviceStorage.read(pinnedKey) === 'pinned')
  const choose = (next: boolean) => {
    deviceStorage.write(pinnedKey, next ? 'pinned' : null)
    setPinned(next)
  }
  return [pinned, choose]
}
