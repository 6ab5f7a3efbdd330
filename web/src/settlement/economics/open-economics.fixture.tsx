import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { answerOf, formulaOf, idOf, settlementOf } from './economics.fixture.ts'
import Economics from './Economics.tsx'

/** The page with answers of its own, and what tests look at on it. */

export const ownSettlement = settlementOf()
export const formulaCall = `GET /client/data/eConomics/${idOf(1)}/2026-11-19/FCR-D-DEC`
type Answers = Parameters<typeof answerCalls>[0]

export const open = async (
  { settlements = [ownSettlement], answer = {}, more = {} }: OpenProps = {},
  search = '?startDate=2026-11-01&endDate=2026-11-30',
  language: 'en' | 'da' = 'en',
) => {
  const requests = answerCalls({
    'GET /client/data/eConomics': () => ({ data: answerOf(settlements, answer) }),
    'GET /client/data/eConomics/license': () => ({ data: { licenses: [{ _id: idOf(50), name: 'Nordhavn' }] } }),
    'GET /client/data/eConomics/instance': () => ({
      data: { instances: [{ _id: idOf(1), name: 'Nordhavn Køl 1', licenseId: idOf(50) }] },
    }),
    [formulaCall]: () => ({ data: formulaOf() }),
    ...more,
  })
  const { router } = await showAt(
    '/eConomics',
    <UserProvider value={someUser({ allowed: { eConomics: true } })}>
      <h1>eConomics</h1>
      <Economics />
    </UserProvider>,
    language,
    search,
  )
  return { router, requests }
}
type OpenProps = { settlements?: Settlement[]; answer?: Parameters<typeof answerOf>[1]; more?: Answers }

export const table = page.getByRole('table', { name: 'Settlements' })
export const dialog = page.getByRole('dialog')
export const button = (name: string | RegExp) => page.getByRole('button', { name })
export const summary = page.getByRole('region', { name: 'Summary' })
export const openInfo = () => userEvent.click(button(/^How .* earned with/).first())
export const tab = (name: string) => userEvent.click(dialog.getByRole('tab', { name }))
