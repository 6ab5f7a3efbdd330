import { expect, test } from 'vitest'
import { BadXml } from '#connectors/xml.ts'
import { parseRates } from './fetch.ts'

const day = (time: string, rate: string) =>
  `<Cube time="${time}"><Cube currency="USD" rate="1.16"/><Cube currency="DKK" rate="${rate}"/></Cube>`
const body = (...days: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><Cube>${days.join('')}</Cube></gesmes:Envelope>`

test('every day with a rate of the krone, digits as published', () => {
  expect(parseRates(body(day('2026-11-20', '7.4745'), day('2026-11-19', '7.4740')))).toEqual([
    { day: '2026-11-20', dkkPerEur: '7.4745' },
    { day: '2026-11-19', dkkPerEur: '7.4740' },
  ])
})

test.each([
  ['below 6', body(day('2026-11-20', '5.9999'))],
  ['above 9', body(day('2026-11-20', '9.0001'))],
  ['an exponent', body(day('2026-11-20', '7e0'))],
  ['no day', body(day('yesterday', '7.46'))],
  ['an impossible day', body(day('2026-13-20', '7.46'))],
  ['no krone', body('<Cube time="2026-11-20"><Cube currency="USD" rate="1.16"/></Cube>')],
  ['a web page', '<html><body>Service unavailable<br></body></html>'],
])('L4 %s refuses the whole body', (_, text) => {
  expect(() => parseRates(text)).toThrow(BadXml)
})

test('6 and 9 DKK are the last that count', () => {
  expect(parseRates(body(day('2026-11-20', '6'), day('2026-11-19', '9.0')))).toHaveLength(2)
})
