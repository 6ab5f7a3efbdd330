import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import * as column from './columns.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { FilterRow } from './FilterRow.tsx'

type Row = { id: number; name: string }
const rows: Row[] = Array.from({ length: 312 }, (_, i) => ({ id: i, name: `Køl ${String(312 - i).padStart(3, '0')}` }))
const columns: Column<Row>[] = [
  column.text('name', 'Name', ({ name }) => name, { sort: true }),
  column.text('about', 'About', ({ name }) => `A description of ${name} that is longer than forty characters`, {
    cut: 40,
  }),
]
const table = (some: readonly Row[]) => (
  <DataTable label="Instances" columns={columns} rows={some} rowKey={(row) => String(row.id)} numbered />
)

const cells = () => page.getByRole('table', { name: 'Instances' }).getByRole('row').elements().slice(1)

test('30 rows a page, numbered on through the pages', async () => {
  await show(table(rows))
  await expect.poll(() => cells().length).toBe(30)
  await userEvent.click(page.getByRole('button', { name: 'Page 2', exact: true }))
  expect(cells()[0]?.textContent).toContain('31Køl 282')
  await expect.element(page.getByText('31–60 of 312')).toBeVisible()
})

test('a screen reader hears the number of rows of a filtered list, and nothing while it loads', async () => {
  const list = (total: number, loading: boolean) => (
    <DataTable
      label="Instances"
      columns={columns}
      rows={rows.slice(0, total)}
      rowKey={(row) => String(row.id)}
      loading={loading}
      paging={{ page: 1, total, onPage: () => {} }}
    />
  )
  const { rerender } = await show(list(12, true))
  const status = page.getByRole('status')
  await expect.element(status).toHaveAccessibleName('Loading')
  await expect.element(status).toHaveTextContent('')
  rerender(list(12, false))
  await expect.element(status).toHaveTextContent('Instances: 12')
})

test('two pages at each margin and a range of five around the current one', async () => {
  await show(table([...rows, ...rows.map((row) => ({ ...row, id: row.id + 1000 }))]))
  const pageTexts = () =>
    page
      .getByRole('button', { name: /^Page / })
      .elements()
      .map((button) => button.textContent)
  expect(pageTexts()).toEqual(['1', '2', '3', '4', '5', '20', '21'])
  for (const name of ['Page 5', 'Page 7', 'Page 8'])
    await userEvent.click(page.getByRole('button', { name, exact: true }))
  await userEvent.click(page.getByRole('button', { name: 'Page 10', exact: true }))
  expect(pageTexts()).toEqual(['1', '2', '8', '9', '10', '11', '12', '20', '21'])
})

test('a click on a head sorts up, then down, then not', async () => {
  await show(table(rows))
  const head = page.getByRole('button', { name: 'Name' })
  await userEvent.click(head)
  await expect.element(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => cells()[0]?.textContent).toContain('Køl 001')
  await userEvent.click(head)
  await expect.poll(() => cells()[0]?.textContent).toContain('Køl 312')
  await userEvent.click(head)
  await expect.element(page.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort')
})

test('a button of a row that becomes another one keeps the focus', async () => {
  const Paused = () => {
    const [paused, setPaused] = useState(false)
    const act = { icon: IconCheck, label: paused ? 'Resume' : 'Pause', onClick: () => setPaused(!paused) }
    return <column.RowActions list={[false, act]} />
  }
  await show(<Paused />)
  page.getByRole('button', { name: 'Pause' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: 'Resume' })).toHaveFocus()
})

test('cut text is complete on focus', async () => {
  await show(table(rows.slice(0, 1)))
  const cut = page.getByText('A description of Køl 312 that is longer…')
  await expect.element(cut).toBeVisible()
  await userEvent.tab()
  await userEvent.tab()
  await expect
    .element(page.getByRole('tooltip'))
    .toHaveTextContent('A description of Køl 312 that is longer than forty characters')
})

test('an empty table has the words of the specification', async () => {
  await show(table([]))
  await expect.element(page.getByText('No Records To Display')).toBeVisible()
  expect(page.getByRole('button', { name: /^Page / }).elements()).toEqual([])
})

test('loading rows replace the last ones, under the same head and pages', async () => {
  const paged = (loading: boolean) => (
    <DataTable
      label="Instances"
      columns={columns}
      rows={rows.slice(0, 30)}
      rowKey={(row) => String(row.id)}
      loading={loading}
      paging={{ page: 2, total: 312, onPage: () => {} }}
    />
  )
  const { rerender } = await show(paged(false))
  await expect.element(page.getByText('Køl 312', { exact: true })).toBeVisible()
  rerender(paged(true))
  await expect.element(page.getByText('Køl 312', { exact: true })).not.toBeInTheDocument()
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeInTheDocument()
  await expect.element(page.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Page 2', exact: true })).toBeVisible()
})

test('on a phone a row is a card of two lines', async () => {
  await page.viewport(390, 844)
  await show(
    <DataTable
      label="Instances"
      columns={[
        column.text('name', 'Name', ({ name }: Row) => name, { card: 'lead' }),
        column.text('state', 'State', () => 'OK', { card: 'corner' }),
        column.text('area', 'Area', () => 'DK1', { card: 'plain' }),
        column.text('power', 'Power', () => '350 kW'),
      ]}
      rows={rows.slice(0, 1)}
      rowKey={(row) => String(row.id)}
    />,
  )
  const card = page.getByRole('listitem')
  await expect.element(card).toHaveTextContent('Køl 312OKArea DK1Power 350 kW')
  expect(card.element().getBoundingClientRect().height).toBeLessThan(64)
  await page.viewport(1440, 900)
})

test('an amount in the corner of a card has its unit, an unknown one has none', async () => {
  await page.viewport(390, 844)
  await show(
    <DataTable
      label="Instances"
      columns={[
        column.text('name', 'Name', ({ name }: Row) => name, { card: 'lead' }),
        column.number('now', 'Power (kW)', ({ id }: Row) => (id === 0 ? 3.5 : null), { card: 'corner', decimals: 1 }),
      ]}
      rows={rows.slice(0, 2)}
      rowKey={(row) => String(row.id)}
    />,
  )
  await expect.element(page.getByRole('listitem').nth(0)).toMatchTextContent(/3,5 kW$/)
  await expect.element(page.getByRole('listitem').nth(1)).toMatchTextContent(/–$/)
  await page.viewport(1440, 900)
})

test('with four figures or more a card has their titles above them, and its buttons below', async () => {
  await page.viewport(390, 844)
  const figures = ['Frequency', 'Duration', 'Energy', 'Score'].map((title) =>
    column.cell(title, title, () => <b>of {title}</b>),
  )
  await show(
    <DataTable
      label="Events"
      columns={[
        column.text('name', 'Name', ({ name }: Row) => name, { card: 'lead' }),
        column.actions('Actions', () => [{ label: 'Open', text: 'Open', onClick: () => {} }]),
        ...figures,
      ]}
      rows={rows.slice(0, 1)}
      rowKey={(row) => String(row.id)}
    />,
  )
  await expect.element(page.getByRole('listitem')).toBeVisible()
  const boxOf = (text: string) => page.getByText(text, { exact: true }).element().getBoundingClientRect()
  expect(boxOf('Frequency').left).toBe(boxOf('of Frequency').left)
  expect(boxOf('Frequency').top).toBe(boxOf('Duration').top)
  expect(boxOf('Duration').left).toBeGreaterThan(boxOf('Frequency').left)
  expect(boxOf('Open').top).toBeGreaterThanOrEqual(boxOf('of Score').bottom)
  await page.viewport(1440, 900)
})

test('on a phone a list has ten cards a page, sorts by its columns and opens the rest of a card', async () => {
  await page.viewport(390, 844)
  const more: Column<Row> = column.text('mode', 'Mode', () => 'Remote', { card: 'more' })
  await show(<DataTable label="Instances" columns={[...columns, more]} rows={rows} rowKey={(row) => String(row.id)} />)
  const cards = () => page.getByRole('list', { name: 'Instances' }).getByRole('listitem').elements()
  await expect.poll(() => cards().length).toBe(10)
  const sortByName = async (button: string) => {
    if (button) await userEvent.click(page.getByRole('button', { name: button }))
    await userEvent.click(page.getByRole('menuitem', { name: /^Name/ }))
  }
  await sortByName('Sort by')
  expect(cards()[0]?.textContent).toContain('Køl 001')
  await sortByName('')
  expect(cards()[0]?.textContent).toContain('Køl 312')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Sorted by Name' })).toBeVisible()
  await expect.element(page.getByText(/Remote/).first()).not.toBeVisible()
  await userEvent.click(page.getByText('More', { exact: true }).first())
  await expect.element(page.getByText(/Remote/).first()).toBeVisible()
  await page.viewport(1440, 900)
})

test('on a phone the filters of a list open by a button that counts the active ones', async () => {
  await page.viewport(390, 844)
  await show(
    <FilterRow label="Filter" onSubmit={() => {}} chosen={2} actions={<button type="button">Export</button>}>
      <input aria-label="Charger" />
    </FilterRow>,
  )
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeVisible()
  expect(page.getByRole('textbox', { name: 'Charger' }).elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Filters 2' }))
  await expect.element(page.getByRole('textbox', { name: 'Charger' })).toBeVisible()
  await page.viewport(1440, 900)
})

test('on a phone the place of the sort is kept while the rows load', async () => {
  await page.viewport(390, 844)
  const list = (loading: boolean) => (
    <DataTable
      label="Instances"
      columns={columns}
      rows={loading ? [] : rows}
      rowKey={(row) => String(row.id)}
      loading={loading}
    />
  )
  const top = () => page.getByRole('list', { name: 'Instances' }).element().getBoundingClientRect().top
  const { rerender } = await show(list(true))
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeInTheDocument()
  const before = top()
  rerender(list(false))
  await expect.element(page.getByRole('button', { name: 'Sort by' })).toBeVisible()
  expect(top()).toBe(before)
  await page.viewport(1440, 900)
})
