import { useEffect, useEffectEvent } from 'react'

/**
 * Full screen while one card covers the window. The document and not the card is the full-screen element, because menus and toasts are outside
 * of the card; without full screen, as on an iPhone, the card covers the window only.
 */
const FullScreen = ({ onLeave }: { onLeave: () => void }) => {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const leaveWithBrowser = () => document.fullscreenElement ?? leave()
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) leave()
    }
    document.addEventListener('fullscreenchange', leaveWithBrowser)
    document.addEventListener('keydown', leaveByKey)
    void document.documentElement.requestFullscreen?.().catch(() => {})
    return () => {
      document.removeEventListener('fullscreenchange', leaveWithBrowser)
      document.removeEventListener('keydown', leaveByKey)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    }
  }, [])
  return null
}

export default FullScreen
