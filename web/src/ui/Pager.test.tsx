import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import * as column from './columns.tsx'
import { DataTable } from './DataTable.tsx'
import { Panel } from './Panel.tsx'

type Row = { id: number }
const columns = [column.text('id', 'Number', ({ id }: Row) => String(id))]

test.each([
  [3, 5, ['1', '2', '3', '4', '5']],
  [150, 300, ['1', '150', '300']],
])('on a phone the controls of page %i of %i are one row in the card, each 44 px large', async (at, pages, texts) => {
  await page.viewport(390, 844)
  await show(
    <div style={{ padding: 12 }}>
      <Panel label="List">
        <DataTable
          label="Numbers"
          columns={columns}
          rows={[{ id: 1 }]}
          rowKey={({ id }) => String(id)}
          pageSize={10}
          paging={{ page: at, total: pages * 10, onPage: () => {} }}
        />
      </Panel>
    </div>,
  )
  await expect.element(page.getByRole('button', { name: 'Next page' })).toBeVisible()
  const numbers = page.getByRole('button', { name: /^Page / }).elements()
  expect(numbers.map((button) => button.textContent)).toEqual(texts)
  const boxes = page
    .getByRole('button', { name: /page/i })
    .elements()
    .map((button) => button.getBoundingClientRect())
  const card = page.getByRole('region', { name: 'List' }).element().getBoundingClientRect()
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(1)
  for (const { left, right, width, height } of boxes) {
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(left).toBeGreaterThanOrEqual(card.left)
    expect(right).toBeLessThanOrEqual(card.right)
  }
  await page.viewport(1440, 900)
})
