import { useState } from 'react'
import { deviceStorage } from '#lib/storage.ts'

const pinnedKey = 'GM_SIDEBAR'

export const usePinned = (): [boolean, (pinned: boolean) => void] => {
  const [pinned, setPinned] = useState(() => deviceStorage.read(pinnedKey) === 'pinned')
  const choose = (next: boolean) => {
    deviceStorage.write(pinnedKey, next ? 'pinned' : null)
    setPinned(next)
  }
  return [pinned, choose]
}
