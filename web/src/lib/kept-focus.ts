/** Returns the focus to a button that was disabled while its work ran, unless it has moved on; the answer ends it. */
export const keepFocus = () => {
  let lost: HTMLButtonElement | null = null
  const watching = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLButtonElement)) continue
      // The browser takes the focus from a disabled button with the next frame.
      if (target.disabled && target === document.activeElement) lost = target
      if (target.disabled || target !== lost) continue
      lost = null
      if (document.activeElement === document.body) target.focus({ preventScroll: true })
    }
  })
  const forget = () => (lost = null)
  const moves = ['focusin', 'pointerdown']
  for (const move of moves) document.addEventListener(move, forget)
  watching.observe(document.body, { subtree: true, attributeFilter: ['disabled'] })
  return () => {
    watching.disconnect()
    for (const move of moves) document.removeEventListener(move, forget)
  }
}
