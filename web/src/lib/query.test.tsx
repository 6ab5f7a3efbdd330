import { findAudit } from '@gridmast/contract/audit.ts'
import { powerCost } from '@gridmast/contract/prices.ts'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { useCall } from './query.ts'

/** Answers that come only when the test lets them; each says what was asked. */
const slowAnswers = () => {
  const waiting: (() => void)[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    const asked = new URL(new Request(url instanceof URL ? url.href : url, init).url).searchParams
    return Response.json({ success: true, data: { asked: `${asked}` } })
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
  const read = useCall(findAudit, { sent: { query: { who, skip, limit: 30 } }, question: who })
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

const shown = () => page.getByRole('status', { name: 'answer' }).element().textContent
const press = (name: string) => page.getByRole('button', { name }).click()

test('another choice shows nothing of the last one while it is read', async () => {
  const answers = slowAnswers()
  await show(<Choice />)
  await answers.release()
  await expect.poll(shown).toContain('2026-11-20')
  await press('tomorrow')
  await expect.poll(shown).toContain('waiting')
  await answers.release()
  await expect.poll(shown).toContain('2026-11-21')
})

test('the same question asked again keeps its answer until the next', async () => {
  const answers = slowAnswers()
  await show(<Choice />)
  await answers.release()
  await expect.poll(shown).toContain('2026-11-20')
  await press('again')
  await expect.poll(() => vi.mocked(window.fetch).mock.calls.length).toBe(2)
  await expect.poll(shown).toContain('2026-11-20')
})

test('a part of the same question that moves by itself keeps the last answer, another question does not', async () => {
  const answers = slowAnswers()
  await show(<List />)
  await answers.release()
  await expect.poll(shown).toContain('skip=0')
  await press('next page')
  await expect.poll(() => vi.mocked(window.fetch).mock.calls.length).toBe(2)
  await expect.poll(shown).toContain('skip=0')
  await answers.release()
  await expect.poll(shown).toContain('skip=30')
  await press('other person')
  await expect.poll(shown).toContain('waiting')
})
