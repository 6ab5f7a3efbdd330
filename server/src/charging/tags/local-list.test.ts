import * as contract from '@gridmast/contract/charging/tags.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { TestApp } from '#testing/app.ts'
import { openBench } from '#charging/ledger/charger.fixture.ts'
import { changesOf } from './local-list.ts'

const bench = await openBench(['kept', 'torn', 'plain'], [{ tag: 'ANNA' }, { tag: 'BERT' }, { tag: 'X'.repeat(30) }])
const app: TestApp = bench.app
const token = await app.tokenOf('sudoer@north.example')
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const connect = async (identity: string, list: { version: number; answers?: string[] }) => {
  const settings = { LocalAuthListEnabled: 'true', SendLocalListMaxLength: '2' }
  const charger = await bench.connect(identity, {
    onAsked: ({ action, payload }) => {
      if (action === 'GetConfiguration')
        return { configurationKey: Object.entries(settings).map(([key, value]) => ({ key, value, readonly: true })) }
      if (action === 'GetLocalListVersion') return { listVersion: list.version }
      if (action !== 'SendLocalList') return { status: 'Accepted' }
      const status = list.answers?.shift() ?? 'Accepted'
      if (status === 'Accepted') list.version = Number(payload['listVersion'])
      return { status }
    },
  })
  await charger.boot()
  const sent = () =>
    charger.asked
      .filter(({ action }) => action === 'SendLocalList')
      .map(({ payload }) => [
        payload['updateType'],
        payload['listVersion'],
        (payload['localAuthorizationList'] as { idTag: string; idTagInfo?: object }[]).map(({ idTag, idTagInfo }) =>
          idTagInfo ? idTag : `-${idTag}`,
        ),
      ])
  return { charger, sent }
}

test('the whole list is sent first in pieces, then its changes, and a blocked tag clears the cache', async () => {
  const { charger, sent } = await connect('kept', { version: 0 })
  await expect.poll(sent).toEqual([['Full', 1, ['BERT', 'ANNA']]])
  const { body } = await app.ask(contract.addChargerTag, { token, body: { name: 'C', tagID: 'CARL', action: true } })
  await expect.poll(() => sent().at(-1)).toEqual(['Differential', 2, ['CARL']])
  const params = { id: body.data.tag._id }
  await app.ask(contract.saveChargerTag, { token, params, body: { action: false } })
  await expect.poll(() => sent().at(-1)).toEqual(['Differential', 3, ['-CARL']])
  await expect.poll(() => charger.asked.at(-1)?.action).toBe('ClearCache')
  await bench.hangUp()
  const again = await connect('kept', { version: 3 })
  await expect.poll(() => again.charger.asked.at(-1)?.action).toBe('GetLocalListVersion')
  await app.ask(contract.saveChargerTag, { token, params, body: { action: true } })
  await expect.poll(again.sent).toEqual([['Differential', 4, ['CARL']]])
  await app.ask(contract.removeChargerTag, { token, params })
})

test('an unexpected version or a refused part sends the whole list again', async () => {
  const first = await connect('torn', { version: 0 })
  await expect.poll(() => first.sent().length).toBe(1)
  await bench.hangUp()
  const second = await connect('torn', { version: 7 })
  await expect.poll(second.sent).toEqual([['Full', 8, ['BERT', 'ANNA']]])
  await bench.hangUp()
  const third = await connect('torn', { version: 8, answers: ['VersionMismatch'] })
  await expect.poll(() => third.charger.asked.at(-1)?.action).toBe('GetLocalListVersion')
  const { body } = await app.ask(contract.addChargerTag, { token, body: { name: 'D', tagID: 'DORA', action: true } })
  await expect.poll(third.sent).toEqual([
    ['Differential', 9, ['DORA']],
    ['Full', 10, ['DORA', 'BERT']],
    ['Differential', 11, ['ANNA']],
  ])
  await app.ask(contract.removeChargerTag, { token, params: { id: body.data.tag._id } })
})

test('a charger without a local list is not asked for one', async () => {
  const charger = await bench.connect('plain', { onAsked: () => ({ configurationKey: [] }) })
  await charger.boot()
  await expect.poll(() => charger.asked.length).toBe(1)
  await charger.call('Heartbeat', {})
  expect(charger.asked.map(({ action }) => action)).toEqual(['GetConfiguration'])
})

test('the changes between two lists', () => {
  const said = '["G1",null]'
  expect(changesOf({ A: '[null,null]', B: said }, { B: '[null,null]', C: said })).toEqual([
    { tag: 'A', info: null },
    { tag: 'B', info: { isAccepted: true, groupKey: null, expiresAt: null } },
    { tag: 'C', info: { isAccepted: true, groupKey: 'G1', expiresAt: null } },
  ])
})
