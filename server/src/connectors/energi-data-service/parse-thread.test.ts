import { expect, test } from 'vitest'
import { datasets } from './datasets.ts'
import { parseBody } from './parse.ts'
import { parseInThread } from './parse-thread.ts'

const requested = {
  fromMs: Date.parse('2026-01-01T00:00:00Z'),
  toMs: Date.parse('2027-01-01T00:00:00Z'),
  areas: ['DK1'],
}
const records = Array.from(
  { length: 8000 },
  (_, i) =>
    `{"TimeUTC":"${new Date(requested.fromMs + i * 900_000).toISOString().slice(0, 19)}","PriceArea":"DK1","DayAheadPriceEUR":${i}.250,"DayAheadPriceDKK":null}`,
)
const text = `{"total":${records.length},"records":[${records.join(',')}]}`

test('a large body is read as a small one is: same rows, same digits, same refusal', async () => {
  expect(text.length).toBeGreaterThan(400_000)
  const found = await parseInThread(text, 'DayAheadPrices', requested)
  expect(found).toEqual(parseBody(text, datasets.DayAheadPrices, requested))
  expect(found.ok && found.prices.at(-1)?.priceEur).toBe('7999.250')
  expect(await parseInThread(text.slice(0, -3), 'DayAheadPrices', requested)).toMatchObject({
    ok: false,
    kind: 'truncated',
  })
})
