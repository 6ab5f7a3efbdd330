import { expect, type Page } from '@playwright/test'

type Stop = { name: string; isLost: boolean; isVisible: boolean; top: number; left: number; layer: string }

/** The focused element: its name, whether it is shown with a mark of the focus, and where it is. */
const focused = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: '', isLost: true, isVisible: false, top: 0, left: 0, layer: '' }
    const { top, left, width, bottom, right } = element.getBoundingClientRect()
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    const labels = isField ? [...(element.labels ?? [])] : []
    // A radio button shows it on its label, a slot on its cell, the lines of a menu as their background.
    const around = ['label', '[data-cell]', '.mantine-Input-wrapper'].map((one) => element.closest<HTMLElement>(one))
    const marked = [element, ...labels, ...around]
    const isMarked = (one: HTMLElement | null) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    }
    const isQuiet = element.matches(
      '#content, [popover], [role=dialog], [role=status], section, [role^=menuitem], [role=option]',
    )
    const isOnScreen =
      (width <= 1 && labels.length > 0) || (bottom > 0 && right > 0 && top < innerHeight && left < innerWidth)
    return {
      name: (element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent)
        .replaceAll(/\s+/g, ' ')
        .trim(),
      isLost: false,
      isVisible: isOnScreen && (isQuiet || marked.some(isMarked)),
      top,
      left,
      layer: element.closest('[role=dialog], [popover], nav, header, main')?.tagName ?? '',
    }
  })

/** Presses a key; afterwards the focus is somewhere, on the screen and visible. */
export const press = async (page: Page, key: string) => {
  await page.keyboard.press(key)
  await expect(async () => {
    const { name, isLost, isVisible } = await focused(page)
    expect(isLost, `${key}: the focus is lost`).toBe(false)
    expect(isVisible, `${key}: the focus on “${name}” is not visible`).toBe(true)
  }).toPass()
}

const most = 90

/** Tab until `name` has the focus: no stop is lost or invisible, and each is below or to the right of the one before in its part of the screen. */
export const tabTo = async (page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
  let before = await focused(page)
  for (let i = 0; i < most; i++) {
    if (name.test(before.name)) return
    await press(page, key)
    const now = await focused(page)
    const isBack = key === 'Tab' && now.layer === before.layer && now.top + 40 < before.top && now.left <= before.left
    expect(isBack && now.top > 0, `from “${before.name}” back up to “${now.name}”`).toBe(false)
    before = now
  }
  throw new Error(`${String(name)} is not reached by ${most} presses of ${key}`)
}

/** The whole of a text that is typed into the focused field. */
export const typeOver = async (page: Page, text: string) => {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
