import { dayBounds, dayMs, hourMs } from '@gridmast/contract/time.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { show, showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { createFeed } from './feed.ts'
import type { ChartModel } from './model.ts'
import { useDayOrRange } from './RangePicker.tsx'
import { parseInterval } from './range.ts'
import { SharedRangeContext } from './shared-range.ts'

const day = dayBounds('2026-11-20')
const model: ChartModel = {
  series: [
    {
      name: 'Price',
      unit: 'DKK/MWh',
      kind: 'column',
      colour: 1,
      slotMs: hourMs,
      x: [0, 1, 2].map((h) => day.fromMs + h * hourMs),
      y: [1233.09, -189.1, null],
    },
  ],
  span: day,
  unit: 'DKK/MWh',
  decimals: 2,
}
const answered = {
  data: {},
  error: null,
  isPending: false,
  isFetching: false,
  refetch: (): never => {
    throw new Error('not expected')
  },
}
const panel = (props: Partial<Parameters<typeof ChartPanel>[0]>) => (
  <ChartPanel
    title="Power cost"
    height={200}
    model={model}
    query={answered}
    failed="Prices could not be loaded."
    empty="No prices for this day"
    {...props}
  />
)

afterEach(() => page.viewport(1440, 900))

test('the chart is a group with a summary in words, reachable by keyboard, and draws', async () => {
  await show(panel({}))
  const chart = page.getByRole('group', { name: 'Power cost' })
  await expect
    .element(chart)
    .toHaveAccessibleDescription(
      'Price: latest −189,10 DKK/MWh (01:00), lowest −189,10 DKK/MWh, highest 1.233,09 DKK/MWh.',
    )
  await expect.poll(() => document.querySelectorAll('canvas').length, { timeout: 5000 }).toBe(1)
  ;(chart.element() as HTMLElement).focus() // a group is an HTML element
  await userEvent.keyboard('{Home}{ArrowRight}')
  await expect.poll(() => document.body.textContent).toContain('20.11.2026 00–01')
})

test('over days the summary names the day, and without a unit there is none', async () => {
  const series = model.series.map((one) => ({
    ...one,
    unit: '',
    x: [day.fromMs, day.toMs],
    y: [3, 4],
    slotMs: 24 * hourMs,
  }))
  await show(
    panel({ model: { ...model, series, decimals: 0, span: { fromMs: day.fromMs, toMs: day.toMs + 24 * hourMs } } }),
  )
  await expect
    .element(page.getByRole('group', { name: 'Power cost' }))
    .toHaveAccessibleDescription('Price: latest 4 (21.11.2026), lowest 3, highest 4.')
})

test('the table shows the figures behind it, newest first, in Berlin time and Danish numbers', async () => {
  await show(panel({}))
  await userEvent.click(page.getByRole('button', { name: 'Show as table' }))
  const rows = () =>
    page
      .getByRole('row')
      .elements()
      .map((row) => row.textContent)
  await expect
    .poll(rows)
    .toEqual([
      'Time (CET/CEST)Price (DKK/MWh)',
      '20.11.2026 02:00:00–',
      '20.11.2026 01:00:00−189,10',
      '20.11.2026 00:00:001.233,09',
    ])
})

test('an empty chart shows the reason', async () => {
  const [series] = model.series
  await show(panel({ model: { ...model, series: series ? [{ ...series, x: [], y: [] }] : [] } }))
  await expect.element(page.getByText('No prices for this day')).toBeVisible()
})

test('a failed read is reported over the last data and offers another try', async () => {
  const refetch = vi.fn<() => Promise<never>>(() => new Promise(() => {}))
  await show(panel({ query: { ...answered, error: new Error('Not available right now.'), refetch } }))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Prices could not be loaded. Not available right now.Retry now')
  await userEvent.hover(page.getByRole('heading').first()) // away from the tip of an earlier test
  await userEvent.click(page.getByRole('button', { name: 'Retry now' }))
  expect(refetch).toHaveBeenCalledOnce()
  await expect.element(page.getByRole('group', { name: 'Power cost' })).toBeVisible()
})

test('while loading it has the height of the chart', async () => {
  await show(panel({ model: null, query: { ...answered, data: undefined, isPending: true } }))
  const skeleton = page.getByRole('status', { name: 'Loading' })
  await expect.element(skeleton).toBeVisible()
  expect(skeleton.element().getBoundingClientRect().height).toBe(200)
})

test('live points are in the table view without a new answer of the server', async () => {
  const feed = createFeed(24 * hourMs)
  feed.seed({ x: [day.fromMs], y: [1] })
  const live: ChartModel = {
    ...model,
    series: [{ name: 'Power', unit: 'kW', kind: 'line', colour: 1, x: [day.fromMs], y: [1] }],
    unit: 'kW',
  }
  await show(panel({ model: live, live: { feed, slide: () => day } }))
  feed.push({ x: [day.fromMs + 1000], y: [2] })
  await userEvent.click(page.getByRole('button', { name: 'Show as table' }))
  await expect.element(page.getByRole('cell', { name: '20.11.2026 00:00:01' })).toBeVisible()
})

test('in Danish the words change and the numbers stay', async () => {
  await show(panel({}), 'da')
  await expect.element(page.getByRole('button', { name: 'Vis som tabel' })).toBeVisible()
  await expect
    .element(page.getByRole('group', { name: 'Power cost' }))
    .toHaveAccessibleDescription(/Pris: senest −189,10 DKK\/MWh/)
})

test('the canvas follows its card, also after a narrow start', async () => {
  await show(<div style={{ width: 40, overflow: 'hidden' }}>{panel({})}</div>)
  const canvas = () => document.querySelector('canvas')
  await expect.poll(canvas, { timeout: 5000 }).not.toBeNull()
  const card = canvas()?.closest<HTMLElement>('section')?.parentElement
  if (card) card.style.width = '500px'
  await expect.poll(() => canvas()?.getBoundingClientRect().width).toBe(500 - 32)
})

test('two fingers zoom and one scrolls the page; a button shows the full range again', async () => {
  await show(panel({}))
  const chart = page.getByRole('group', { name: 'Power cost' }).element()
  const { left, top, width } = chart.getBoundingClientRect()
  const touch = (type: string, pointerId: number, share: number) =>
    chart.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        pointerType: 'touch',
        pointerId,
        clientX: left + share * width,
        clientY: top + 60,
      }),
    )
  const reset = page.getByRole('button', { name: 'Reset zoom' })
  touch('pointerdown', 1, 0.3)
  touch('pointermove', 1, 0.1)
  await expect.element(page.getByText(/^20.11.2026 0/)).toBeVisible()
  expect(getComputedStyle(chart).touchAction).toBe('pan-y')
  await expect.element(reset).not.toBeInTheDocument()
  touch('pointerdown', 2, 0.2)
  touch('pointermove', 2, 0.9)
  touch('pointercancel', 1, 0.4)
  touch('pointerup', 2, 0.9)
  await expect.element(reset).toBeVisible()
  await userEvent.click(reset)
  await expect.element(reset).not.toBeInTheDocument()
})

const gestures = {
  wheel: (chart: Element, at: (share: number) => object) =>
    [1, 2, 3].forEach(() =>
      chart.dispatchEvent(
        new WheelEvent('wheel', { ...at(0.3), bubbles: true, cancelable: true, ctrlKey: true, deltaY: 100 }),
      ),
    ),
  'two fingers': (chart: Element, at: (share: number) => object) => {
    const touch = (type: string, pointerId: number, share: number) =>
      chart.dispatchEvent(new PointerEvent(type, { ...at(share), bubbles: true, pointerType: 'touch', pointerId }))
    touch('pointerdown', 1, 0.1)
    touch('pointerdown', 2, 0.9)
    touch('pointermove', 2, 0.3)
    touch('pointercancel', 1, 0.1)
    touch('pointercancel', 2, 0.3)
  },
  // The days of the chart are whole, the range is not.
  brush: (chart: Element, at: (share: number) => object) => {
    const mouse = (type: string, share: number) =>
      chart.dispatchEvent(new PointerEvent(type, { ...at(share), bubbles: true, pointerType: 'mouse', button: 0 }))
    mouse('pointerdown', 0)
    mouse('pointermove', 1)
    mouse('pointerup', 1)
  },
}

test.each(['wheel', 'two fingers', 'brush'] as const)(
  'a zoom by %s has at most the days that its screen can show',
  async (by) => {
    const Screen = () => {
      const { shared } = useDayOrRange('2026-11-20', 31)
      const span = { fromMs: shared.span.fromMs - dayMs, toMs: shared.span.toMs + dayMs }
      return <SharedRangeContext value={shared}>{panel({ model: { ...model, span } })}</SharedRangeContext>
    }
    const { router } = await showAt('/insights/x', <Screen />, 'en', '?range=2026-08-01T10:00:00Z/2026-08-31T10:00:00Z')
    const chart = page.getByRole('group', { name: 'Power cost' })
    await expect.element(chart).toBeVisible()
    const { left, top, width } = chart.element().getBoundingClientRect()
    gestures[by](chart.element(), (share) => ({ clientX: left + share * width, clientY: top + 60 }))
    const zoomDays = () => {
      const { zoom = '' } = router.state.location.search as { zoom?: string }
      const span = parseInterval(zoom)
      return span && (span.toMs - span.fromMs) / dayMs
    }
    await expect.poll(zoomDays).toBe(31)
  },
)

test('on a phone the foot has Simulated once', async () => {
  await page.viewport(390, 844)
  const foot = () => document.querySelector('footer')?.textContent
  const { rerender } = await show(panel({ simulated: true, footRight: 'Source: Simulated (DayAheadPrices)' }))
  await expect.poll(foot).toBe('Source: Simulated (DayAheadPrices)')
  rerender(panel({ simulated: true, footRight: 'excl. tax' }))
  await expect.poll(foot).toBe('Simulated · excl. tax')
})

test('a chart that a report can send has it in its downloads', async () => {
  for (const [address, isSent] of [
    ['/client/data/power-cost?date=2026-11-20', true],
    ['/client/data/event-log', false],
  ] as const) {
    const onDownload = Object.assign(vi.fn<() => Promise<void>>(), { address })
    const { unmount, router } = await showAt(
      '/',
      <UserProvider value={someUser()}>{panel({ onDownload })}</UserProvider>,
    )
    await userEvent.click(page.getByRole('button', { name: 'Download', exact: true }))
    await expect.element(page.getByRole('menuitem', { name: 'Download CSV' })).toBeVisible()
    const send = page.getByRole('menuitem', { name: 'Send by email' })
    if (isSent) {
      await userEvent.click(send)
      await expect.poll(() => router.state.location.pathname).toBe('/reports')
      expect(router.state.location.search).toEqual({ add: address })
    } else expect(send.elements()).toEqual([])
    unmount()
  }
})

test('how the figures are calculated is behind ? next to the title, on a phone in the menu', async () => {
  await show(panel({ help: 'powerCost' }))
  const text = page.getByText(/^Power cost = spot price/)
  await userEvent.click(page.getByRole('button', { name: 'How this is calculated' }))
  await expect.element(page.getByRole('dialog', { name: 'How this is calculated' })).toBeVisible()
  await expect.element(text).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await page.viewport(390, 844)
  await userEvent.click(page.getByRole('button', { name: 'Tools of Power cost' }))
  const item = page.getByRole('menuitem', { name: 'How this is calculated' })
  await userEvent.click(item)
  await expect.element(text).toBeVisible()
  await expect.element(item).toHaveAccessibleDescription(/^Power cost = spot price/)
  await expect.element(page.getByRole('button', { name: 'How this is calculated' })).not.toBeInTheDocument()
})
