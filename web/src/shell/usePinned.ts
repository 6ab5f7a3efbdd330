import { useState } from 'react'

const pinnedKey = 'GM_SIDEBAR'

/** Whether the sidebar stays open, remembered on this device. */
export const usePinned = (): [boolean, (pinned: boolean) => void] => {
  const [pinned, setPinned] = useState(() => localStorage.getItem(pinnedKey) === 'pinned')
  const choose = (next: boolean) => {
    if (next) localStorage.setItem(pinnedKey, 'pinned')
    else localStorage.removeItem(pinnedKey)
    setPinned(next)
  }
  return [pinned, choose]
}
