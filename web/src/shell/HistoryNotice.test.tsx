import { findSupportNotes } from '@gridmast/contract/people/support-notes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useCall } from '#lib/query.ts'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { HistoryNotice } from './HistoryNotice.tsx'

const history = 'GET /client/customer/history'

const Screen = () => {
  const queries = useQueryClient()
  useCall(findSupportNotes, { sent: { query: {} } })
  return (
    <>
      <HistoryNotice />
      <button onClick={() => void queries.refetchQueries({ queryKey: ['/client/customer/history'] })}>Later</button>
    </>
  )
}

test('arriving history is shown with its progress, in Danish too, and each later answer reads the screen again', async () => {
  let left = 2
  const requests = answerCalls({
    [history]: () => ({
      data:
        left-- > 0 ? { telemetry: 0.627, marketData: { done: 84, all: 168 } } : { telemetry: null, marketData: null },
    }),
    'GET /client/supportNotes': () => ({ data: { supportNotes: [], totalCount: 0 } }),
  })
  const notes = () => requests.filter(({ call }) => call === 'GET /client/supportNotes').length
  await showAt('/', <Screen />, 'da')
  const notice = page.getByRole('link')
  await expect
    .element(notice)
    .toHaveAccessibleName('Historikken hentes: 50 %. Målinger: 62 %. Markedsdata: 84 af 168 måneder')
  await expect.poll(notes).toBe(1)
  await userEvent.click(page.getByRole('button', { name: 'Later' }))
  await expect.poll(notes).toBe(2)
  await userEvent.click(page.getByRole('button', { name: 'Later' }))
  await expect.element(notice).not.toBeInTheDocument()
  await expect.poll(notes).toBe(3)
})
