import type { Page } from '@playwright/test'

/**
 * Controls whose area that reacts to a finger is below 44 × 44 px, by hit tests around their centre, so that labels, padding and pseudo elements
 * count. A link in a sentence is exempt (WCAG 2.5.8).
 */
export const smallTargetsIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const least = 44
    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=switch], [role=checkbox], [role=tab], [role=option], [role^=menuitem]'
    const isSeen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
    }
    // A field of several values has its input within a box that reacts too.
    const labelsOf = (control: Element) =>
      [
        ...(control instanceof HTMLInputElement ? (control.labels ?? []) : []),
        ...(control.matches('input') ? [control.closest('.mantine-MultiSelect-input, .mantine-TagsInput-input')] : []),
      ].filter((one) => one !== null)
    const isUsable = (control: Element) =>
      !control.matches(':disabled, [aria-disabled=true]') &&
      [control, ...labelsOf(control)].some(isSeen) &&
      !control.closest('[inert], [aria-hidden=true], .gm-hidden')
    const isOff = ({ left, top, right, bottom }: DOMRect) =>
      right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight
    const isInSentence = (control: Element) =>
      getComputedStyle(control).display.startsWith('inline') &&
      [...(control.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\w{2}/.test(node.textContent ?? ''),
      )
    const sizeOf = (control: Element) => {
      const parts = [control, ...labelsOf(control)].filter(isSeen)
      const [part = control] = parts.toSorted(
        (a, b) => b.getBoundingClientRect().height - a.getBoundingClientRect().height,
      )
      part.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const box = part.getBoundingClientRect()
      if (isOff(box)) return [least, least] as const // shown when it has the focus
      const { left, top, width, height } = box
      const [x, y] = [Math.min(Math.max(left + width / 2, 1), innerWidth - 1), top + height / 2]
      // Behind an open dialog or menu.
      if (
        document.elementFromPoint(x, y)?.closest('dialog, [popover], [role=dialog]') !==
        part.closest('dialog, [popover], [role=dialog]')
      )
        return [least, least] as const
      const hits = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy)
        return hit !== null && parts.some((one) => one === hit || one.contains(hit))
      }
      const reach = (dx: number, dy: number) => {
        let n = 0
        while (n < least && hits(dx * n, dy * n)) n++
        return n
      }
      const span = (dx: number, dy: number) => Math.max(0, reach(dx, dy) + reach(-dx, -dy) - 1)
      return [span(1, 0), span(0, 1)] as const
    }
    const nameOf = (control: Element) =>
      control.getAttribute('aria-label') ??
      ((control.textContent || labelsOf(control)[0]?.textContent) ?? '').trim().slice(0, 40)
    return [...document.querySelectorAll(controls)]
      .filter((control) => isUsable(control) && !isInSentence(control))
      .flatMap((control) => {
        const [width, height] = sizeOf(control)
        if (Math.min(width, height) >= least) return []
        return [`${control.tagName.toLowerCase()} "${nameOf(control)}" ${width} × ${height}`]
      })
  })
