import type { Page } from '@playwright/test'

/** May be wider than a tablet. */
const wide = 'pre, code'

/**
 * Elements beyond the edge of the window, parts that scroll sideways where lists are tables, and truncated texts of controls, headings, figures
 * and badges that are shown nowhere in full.
 */
export const cutIn = (page: Page): Promise<string[]> =>
  page.evaluate((wide) => {
    const texts =
      'a, button, label, th, td, dt, dd, h1, h2, h3, legend, summary, input[readonly], [role=tab], [role=menuitem], [class*=_tag_], [class*=_figure_]'
    // A closed sidebar opens under the pointer.
    const shownInFull = '[title], [class*=_sidebar_]:not([data-open]) *'
    const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const textOf = (element: Element) => (element instanceof HTMLInputElement ? element.value : element.textContent)
    const named = (element: Element) => `${element.tagName.toLowerCase()} "${textOf(element)}"`
    const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const isCut = (element: Element) => {
      const { overflowX, overflowY, clip, clipPath } = getComputedStyle(element)
      if (clip !== 'auto' || clipPath !== 'none') return false // for screen readers
      if (element.matches('[type=checkbox], [type=radio]')) return false
      const isField = element instanceof HTMLInputElement
      return (
        ((isField || cuts(overflowX)) && element.scrollWidth > element.clientWidth + 1) ||
        (!isField && cuts(overflowY) && element.scrollHeight > element.clientHeight + 1)
      )
    }
    const cut = [...document.querySelectorAll(texts)]
      .filter(isSeen)
      .flatMap((control) => [control, ...control.querySelectorAll('*')])
      .filter((element) => textOf(element).trim() && isCut(element) && !element.closest(shownInFull))
      .map((element) => `cut: ${named(element)}`)
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const over = [...document.body.querySelectorAll('*')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent))
      .filter(
        (element) => isSeen(element) && element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element),
      )
      .map((element) => `over the edge: ${named(element)}`)
    const sideways = [...document.querySelectorAll('main *, dialog *, [role=dialog] *')]
      .filter(
        (element) =>
          innerWidth >= 640 &&
          isSeen(element) &&
          /auto|scroll/.test(getComputedStyle(element).overflowX) &&
          element.scrollWidth > element.clientWidth + 1 &&
          !element.matches(wide),
      )
      .map(
        (element) =>
          `scrolls sideways, ${element.scrollWidth} of ${element.clientWidth} px: ${(element.querySelector('[aria-label]') ?? element).ariaLabel ?? named(element)}`,
      )
    const tooWide = document.documentElement.scrollWidth - innerWidth
    return [...new Set([...cut, ...over, ...sideways, ...(tooWide > 0 ? [`the page is ${tooWide} px too wide`] : [])])]
  }, wide)
