/** Explains the element with `data-tip` under the pointer or the focus; lines are divided by `\n`. */
const delayMs = 250

const tip = document.createElement('div')
tip.id = 'gm-tip'
tip.className = 'gm-tip'
tip.role = 'tooltip'
tip.popover = 'manual'

let explained: HTMLElement | null = null
let timer: ReturnType<typeof setTimeout> | undefined

const text = () => explained?.dataset['tip'] ?? ''
/** A button may change its words while they are shown, as Copy does. */
const words = new MutationObserver(() => (text() ? (tip.textContent = text()) : hide()))

const hide = () => {
  clearTimeout(timer)
  words.disconnect()
  if (explained?.getAttribute('aria-describedby') === tip.id) explained.removeAttribute('aria-describedby')
  explained = null
  tip.hidePopover()
}

const show = () => {
  if (!explained?.isConnected || !text()) return
  tip.textContent = text()
  if (explained.ariaLabel !== text()) explained.setAttribute('aria-describedby', tip.id)
  words.observe(explained, { attributeFilter: ['data-tip'] })
  tip.showPopover({ source: explained })
}

const explain = (target: EventTarget | null, waitMs: number) => {
  if (!(target instanceof Element) || tip.contains(target)) return
  const next = target.closest<HTMLElement>('[data-tip]')
  if (next === explained) return
  hide()
  explained = next
  if (next) timer = setTimeout(show, waitMs)
}

/** Once for the page: no element costs a listener of its own. */
export const followTooltips = () => {
  document.body.append(tip)
  document.addEventListener('pointerover', ({ target }) => explain(target, delayMs))
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) explain(target, 0)
  })
  document.addEventListener('focusout', hide)
  document.addEventListener('scroll', hide, { capture: true, passive: true })
  // Before dialogs: Escape closes the explanation only.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !tip.matches(':popover-open')) return
      event.stopImmediatePropagation()
      hide()
    },
    { capture: true },
  )
  document.documentElement.addEventListener('pointerleave', hide)
}
