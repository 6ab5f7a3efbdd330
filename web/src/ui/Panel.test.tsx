import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { Panel } from './Panel.tsx'
import { Tag } from './Tag.tsx'

test.each([
  'Settlements',
  'Activation events of all instances in the area DK2',
  'Consumption of all instances and of the site by quarter and its cost',
])('on a phone the help of “%s” is on the line of the last word, before the badges', async (title) => {
  await page.viewport(390, 844)
  await show(
    <Panel title={title} help="plan" badge={<Tag>Simulated</Tag>} tools={<button type="button">More</button>} />,
  )
  const help = page.getByRole('button', { name: 'How this is calculated' })
  await expect.element(help).toBeVisible()
  const words = document.createRange()
  words.selectNodeContents(page.getByRole('heading').element())
  const line = [...words.getClientRects()].at(-1)
  const { left, top, bottom, right } = help.element().getBoundingClientRect()
  const middle = (top + bottom) / 2
  expect(middle).toBeGreaterThan(line?.top ?? Infinity)
  expect(middle).toBeLessThan(line?.bottom ?? 0)
  expect(left - (line?.right ?? 0)).toBeCloseTo(-2, 0)
  expect(right).toBeLessThan(390)
  expect(help.element().compareDocumentPosition(page.getByText('Simulated').element())).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  )
})
