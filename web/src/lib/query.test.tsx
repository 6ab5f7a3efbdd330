import { findAudit } from '@gridmast/contract/people/audit.ts'
import { findChargerTags, saveChargerTag } from '@gridmast/contract/charging/tags.ts'
import { powerCost } from '@gridmast/contract/grid/prices.ts'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { somePowerCost, someTag } from '#testing/samples.ts'
import { useCall, useDo } from './query.ts'

const slowAnswers = () => {
  const waiting: (() => void)[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    const params = new URL(new Request(url instanceof URL ? url.href : url, init).url).searchParams
    return Response.json({ success: true, data: { params: `${params}` } })
  })
  return {
    release: async () => {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      waiting.shift()?.()
    },
  }
}

const Shown = ({ read }: { read: { data: unknown; refetch: () => unknown } }) => (
  <>
    <output aria-label="answer">{read.data ? JSON.stringify(read.data) : 'waiting'}</output>
    <button type="button" onClick={() => void read.refetch()}>
      again
    </button>
  </>
)

const Choice = () => {
  const [date, setDate] = useState('2026-11-20')
  const read = useCall(powerCost, { sent: { query: { date } } })
  return (
    <>
      <button type="button" onClick={() => setDate('2026-11-21')}>
        tomorrow
      </button>
      <Shown read={read} />
    </>
  )
}

const List = () => {
  const [{ who, skip }, setAsked] = useState({ who: 'mads', skip: 0 })
  const read = useCall(findAudit, { sent: { query: { who, skip, limit: 30 } }, keepWhile: who })
  return (
    <>
      <button type="button" onClick={() => setAsked({ who, skip: 30 })}>
        next page
      </button>
      <button type="button" onClick={() => setAsked({ who: 'lene', skip: 0 })}>
        other person
      </button>
      <Shown read={read} />
    </>
  )
}

const answerText = () => page.getByRole('status', { name: 'answer' }).element().textContent
const press = (name: string) => page.getByRole('button', { name }).click()

test('another selection shows no data of the previous one while it loads', async () => {
  const answers = slowAnswers()
  await show(<Choice />)
  await answers.release()
  await expect.poll(answerText).toContain('2026-11-20')
  await press('tomorrow')
  await expect.poll(answerText).toContain('waiting')
  await answers.release()
  await expect.poll(answerText).toContain('2026-11-21')
})

test('the same request keeps its answer until the next', async () => {
  const answers = slowAnswers()
  await show(<Choice />)
  await answers.release()
  await expect.poll(answerText).toContain('2026-11-20')
  await press('again')
  await expect.poll(() => vi.mocked(window.fetch).mock.calls.length).toBe(2)
  await expect.poll(answerText).toContain('2026-11-20')
})

test('a part of the same request that moves by itself keeps the last answer, another request does not', async () => {
  const answers = slowAnswers()
  await show(<List />)
  await answers.release()
  await expect.poll(answerText).toContain('skip=0')
  await press('next page')
  await expect.poll(() => vi.mocked(window.fetch).mock.calls.length).toBe(2)
  await expect.poll(answerText).toContain('skip=0')
  await answers.release()
  await expect.poll(answerText).toContain('skip=30')
  await press('other person')
  await expect.poll(answerText).toContain('waiting')
})

const Switches = () => {
  const saving = useDo(saveChargerTag)
  const [results, setResults] = useState<string[]>([])
  return (
    <>
      {['a', 'b'].map((id) => (
        <button
          key={id}
          type="button"
          data-busy={saving.pending.some(({ params }) => params.id === id)}
          onClick={() =>
            saving.mutate(
              { params: { id }, body: { action: false } },
              { onSuccess: () => setResults((others) => [...others, id]) },
            )
          }
        >
          {`off ${id}`}
        </button>
      ))}
      <output aria-label="answer">{`${results.join(' ')} ${saving.isPending ? 'waiting' : 'done'}`}</output>
    </>
  )
}

test('simultaneous actions have their own effect and their own pending state', async () => {
  const answers = slowAnswers()
  await show(<Switches />)
  const busy = () =>
    ['off a', 'off b'].map((name) => page.getByRole('button', { name }).element().getAttribute('data-busy'))
  await press('off a')
  await press('off b')
  await expect.poll(busy).toEqual(['true', 'true'])
  await answers.release()
  await expect.poll(answerText).toBe('a waiting')
  expect(busy()).toEqual(['false', 'true'])
  await answers.release()
  await expect.poll(answerText).toBe('a b done')
})

test('a pending action is not sent again', async () => {
  const answers = slowAnswers()
  await show(<Switches />)
  await press('off a')
  await press('off a')
  await answers.release()
  await expect.poll(answerText).toBe('a done')
  expect(vi.mocked(window.fetch).mock.calls).toHaveLength(1)
  await press('off a')
  await answers.release()
  await expect.poll(answerText).toBe('a a done')
})

const Tags = () => {
  const { data } = useCall(findChargerTags, { sent: { query: {} } })
  return <output aria-label="answer">{data ? 'read' : 'waiting'}</output>
}
const Prices = () => {
  useCall(powerCost, { sent: { query: {} } })
  return null
}

test('an action makes every query of the things that it touches stale', async () => {
  const requests = answerCalls({
    'GET /client/evc/tag': () => ({ data: [] }),
    'GET /client/data/power-cost': () => ({ data: somePowerCost() }),
    'PATCH /client/evc/tag/a': () => ({ data: { tag: someTag, running: 0 } }),
  })
  await show(
    <>
      <Tags />
      <Prices />
      <Switches />
    </>,
  )
  await expect.poll(() => requests.length).toBe(2)
  await press('off a')
  await expect
    .poll(() => requests.map(({ call }) => call).slice(2))
    .toEqual(['PATCH /client/evc/tag/a', 'GET /client/evc/tag'])
})
