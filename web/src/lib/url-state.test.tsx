import { expect, test } from 'vitest'
import { showAt } from '#testing/render.tsx'
import { integer, type ParamsOf, searchParams, text } from './search-params.ts'
import { useUrlState } from './url-state.ts'

const schema = searchParams({
  tab: text(40),
  month: text(40),
  instanceId: text(40),
  filter: text(40),
  view: text(40),
  session: text(40),
  page: integer(1, 100),
})
type Search = ParamsOf<typeof schema>

test.each<{ change: Search; back: Search }>([
  { change: { tab: 'statements', month: undefined }, back: { tab: 'comparison', month: '2026-10', page: 3 } },
  { change: { month: '2026-09', page: undefined }, back: { tab: 'comparison', month: '2026-10', page: 3 } },
  {
    change: { tab: 'comparison', month: '2026-10', instanceId: 'a' },
    back: { tab: 'comparison', month: '2026-10', page: 3 },
  },
  { change: { page: 4 }, back: { tab: 'comparison', month: '2026-10', page: 3 } },
  { change: { filter: 'nord', page: undefined }, back: {} },
  { change: { view: 'year' }, back: {} },
  { change: { month: '2026-10', session: 'a' }, back: {} },
])('after $change Back leads to $back', async ({ change, back }) => {
  let set = (_: Search) => {}
  let search: Search = {}
  const Page = () => {
    ;[search, set] = useUrlState(schema)
    return <p>{JSON.stringify(search)}</p>
  }
  const { router } = await showAt('/economics', <Page />)
  const urlSearch = () => router.state.location.search
  const start: Search = { tab: 'comparison', month: '2026-10', page: 3 }
  await router.navigate({ to: '.', search: start as never }) // this router has no route types
  await expect.poll(() => search).toEqual(start)
  set(change)
  await expect.poll(urlSearch).toEqual({ ...start, ...change })
  router.history.back()
  await expect.poll(urlSearch).toEqual(back)
})
