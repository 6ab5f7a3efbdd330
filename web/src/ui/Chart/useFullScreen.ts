import { useEffect, useState } from 'react'

/**
 * One card over the whole window. The document and not the card is the full-screen element, because menus and toasts are outside of the card;
 * a browser without full screen, as on an iPhone, shows the card over its window.
 */
export const useFullScreen = () => {
  const [on, setOn] = useState(false)
  useEffect(() => {
    if (!on) return
    const leave = () => setOn(false)
    const leaveWithBrowser = () => document.fullscreenElement ?? leave()
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) leave()
    }
    document.addEventListener('fullscreenchange', leaveWithBrowser)
    document.addEventListener('keydown', leaveByKey)
    // Refused without a press of the user or in a frame: the card covers the window only.
    void document.documentElement.requestFullscreen?.().catch(() => {})
    return () => {
      document.removeEventListener('fullscreenchange', leaveWithBrowser)
      document.removeEventListener('keydown', leaveByKey)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    }
  }, [on])
  return { on, toggle: () => setOn(!on) }
}
