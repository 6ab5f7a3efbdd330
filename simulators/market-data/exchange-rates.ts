import { addDays, atLocalTime, dayMs, type LocalDate, localDateOf, weekday } from '@gridmast/contract/time.ts'
import { bell, seedOf } from '../noise.ts'
import { historyDays } from './dataset.ts'

/** DKK per EUR on a banking day: within a few thousandths of the central rate, as the krone is pegged. Invented. */
const dkkPerEur = (date: LocalDate) =>
  (7.461 + 0.004 * bell(seedOf('dkk'), Math.round(Date.parse(date) / dayMs))).toFixed(4)

/** Reference rates in the form of the European Central Bank: banking days, newest first, today's from 16:00. */
export const exchangeRatesXml = (atMs: number): string => {
  const today = localDateOf(atMs)
  const first = atMs >= atLocalTime(today, '16:00') ? 0 : 1
  const days = Array.from({ length: historyDays + 20 }, (_, back) => addDays(today, -back))
    .slice(first)
    .filter((date) => weekday(date) <= 5)
    .map(
      (date) =>
        `<Cube time="${date}"><Cube currency="USD" rate="1.1600"/><Cube currency="DKK" rate="${dkkPerEur(date)}"/></Cube>`,
    )
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>Simulated</gesmes:name></gesmes:Sender><Cube>
${days.join('\n')}
</Cube></gesmes:Envelope>`
}
