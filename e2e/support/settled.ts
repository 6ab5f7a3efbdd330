import { expect, type Page } from '@playwright/test'
import type { Data } from '@gridmast/contract/call.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import type { findSettlements, Settlement } from '@gridmast/contract/settlement/economics.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'

/** The demo's bids of the last days are decided and settled minutes after its start. */
export const settledMs = 600_000

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

type Won = Settlement & { customer: string }
const isWhole = (row: Settlement): row is Won =>
  row.isClosed &&
  row.isResultFetched &&
  row.penalty === '0.00' &&
  row.customer !== null &&
  compareDecimals(row.customer, '1') > 0

/** Waits for a past day with earnings and without a penalty. */
export const settledDay = async (page: Page): Promise<Won> => {
  let found: Won | undefined
  await expect(async () => {
    const token = await page.evaluate((key) => localStorage.getItem(key), storageKeys.token)
    const answer = await page.request.get(
      `/api/client/data/eConomics?startDate=${daysAgo(20)}&endDate=${daysAgo(2)}&limit=100`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const { data } = (await answer.json()) as { data: Data<typeof findSettlements> } // the shape is checked by the contract's tests
    found = data.settlements.find(isWhole)
    expect(found).toBeDefined()
  }).toPass({ timeout: settledMs, intervals: [5000] })
  if (!found) throw new Error('it was just found')
  return found
}
