import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { expect, test } from 'vitest'
import { parseXml } from '#connectors/xml.ts'
import { changesOf } from '#charging/tags/local-list.ts'
import { normalise } from '#charging/ledger/meter-values.ts'
import { truthOf } from '#platform/files/import-table.ts'
import { v16 } from '#protocols/ocpp/v16.ts'
import { v201 } from '#protocols/ocpp/v201.ts'

const lookups: Record<string, (word: string) => unknown> = {
  'status of 1.6': (status) => v16.read('StatusNotification', { connectorId: 1, status }),
  'status of 2.0.1': (connectorStatus) => v201.read('StatusNotification', { evseId: 1, connectorStatus }),
  'charging state': (chargingState) =>
    v201.read('TransactionEvent', { eventType: 'Updated', transactionInfo: { transactionId: 'x', chargingState } }),
  'event type': (eventType) => v201.read('TransactionEvent', { eventType, transactionInfo: { transactionId: 'x' } }),
  'action of 1.6': (action) => v16.read(action, {}),
  'action of 2.0.1': (action) => v201.read(action, {}),
  unit: (unit) => normalise([measured({ unit })], { maxKw: 22, timeOf: () => 0 }),
  measurand: (measurand) => normalise([measured({ measurand })], { maxKw: 22, timeOf: () => 0 }),
  'tag removed from a local list': (tag) => changesOf({ [tag]: '[null,null]' }, {}).map(({ info }) => info),
  'yes or no in a table': truthOf,
  'entity of XML': (name) => parseXml(`<a>&${name};</a>`),
  'bidding market': (market) => signalsOf(market),
}

const measured = (over: { unit?: string; measurand?: string }) => ({
  at: null,
  samples: [
    { value: '1', measurand: 'SoC', phase: null, unit: null, multiplier: 0, context: '', location: 'Outlet', ...over },
  ],
})

const answerOf = (lookup: (word: string) => unknown, word: string) => {
  try {
    return JSON.stringify(lookup(word))
  } catch (error) {
    return String(error)
  }
}

test.each(Object.entries(lookups))('the names of Object.prototype are no %s', (_, lookup) => {
  const unknown = answerOf(lookup, 'someWord')
  for (const word of Object.getOwnPropertyNames(Object.prototype))
    expect(answerOf(lookup, word).replaceAll(word, 'someWord')).toBe(unknown)
})
