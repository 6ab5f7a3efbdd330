import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#testing/scripts.ts'
import { openWholeServer } from '#testing/whole-server.ts'
import { addChargers, addTags, connectCharger } from './charger.fixture.ts'

let server: Awaited<ReturnType<typeof openWholeServer>>

beforeAll(async () => {
  server = await openWholeServer(join(import.meta.dirname, 'kill-at.process.ts'))
  await server.rows(async (records) => {
    await addChargers(records, [{ identity: 'cp-kill' }])
    await addTags(records, [{ tag: 'ANNA' }])
  })
})
afterAll(() => server.close())

test('D2 kill -9 between a message and its answer: the repeated message is one transaction with its own energy', async () => {
  const at = (agoS: number) => new Date(Date.now() - agoS * 1000).toISOString()
  const begin = { connectorId: 1, idTag: 'anna', meterStart: 165_000, timestamp: at(900) }
  const sample = { value: '167500', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }
  const values = { connectorId: 1, meterValue: [{ timestamp: at(300), sampledValue: [sample] }] }
  const end = { transactionId: 1, meterStop: 171_250, timestamp: at(2), idTag: 'ANNA' }
  const messages = [
    ['m-start', 'StartTransaction', begin],
    ['m-values', 'MeterValues', values],
    ['m-stop', 'StopTransaction', end],
  ] as const

  let answered = 0
  const answers: string[] = []
  const say = async () => {
    const charger = await connectCharger(server.port, 'cp-kill')
    await charger.boot()
    for (const [id, action, payload] of messages.slice(answered)) {
      answers.push((await charger.call(action, payload, id)).text)
      answered++
    }
    await charger.close()
  }
  const places = ['commit start|', 'answer m-start', 'answer m-values', 'commit stop|', 'answer m-stop']
  const progress: number[] = []
  for (const place of places) {
    const dying = await server.serve(place)
    await expect(say()).rejects.toThrow('closed')
    expect((await dying.ended)[1]).toBe('SIGKILL')
    progress.push(answered)
  }
  expect(progress).toEqual([0, 0, 1, 2, 2])
  const last = await server.serve('never')
  await say()
  last.child.kill('SIGTERM')
  await last.ended

  expect(answers[0]).toBe('[3,"m-start",{"transactionId":1,"idTagInfo":{"status":"Accepted"}}]')
  const stored = await server.rows((records) =>
    records.system(async (tx) => ({
      transactions: await tx.selectFrom('charger_transaction').selectAll().execute(),
      registers: await tx.selectFrom('charger_register').select('wh').orderBy('at').execute(),
      said: await tx.selectFrom('charger_message').select('natural_key').orderBy('received_at').execute(),
      energy: await tx.selectFrom('charger_signal').select('no').where('kind', '=', 'energy').executeTakeFirstOrThrow(),
    })),
  )
  expect(stored).toMatchObject({
    transactions: [{ no: 1, state: 'ended', consumption_wh: '6250.000', estimated: false }],
    registers: [{ wh: '165000.000' }, { wh: '167500.000' }, { wh: '171250.000' }],
    said: [{ natural_key: expect.stringMatching(/^start/) }, { natural_key: 'stop|1' }],
  })
  const script = join(import.meta.dirname, '../../delivery/instances/stored.process.ts')
  expect(JSON.parse((await run(script, join(server.folder, 'readings'), String(stored.energy.no))).said)).toHaveLength(
    3,
  )
}, 300_000)
