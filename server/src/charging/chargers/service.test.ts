import * as contract from '@gridmast/contract/charging/chargers.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import type { TestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'
import { tables } from '#charging/chargers/registration.ts'
import { iso, openBench, key } from '#charging/ledger/charger.fixture.ts'
import { openDirectory } from '#charging/ledger/directory.ts'

const ofWest = ['of-west', 'twin'].map((identity) => ({ identity, customer: 'west' }))
const bench = await openBench(['old', 'modern', 'silent', 'away', 'used', 'paid', ...ofWest], [{ tag: 'ANNA' }])
const app: TestApp = bench.app
const token = await app.tokenOf('sudoer@north.example')
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const paramsOf = (identity: string, customer = 'north') => ({ id: idOf('charger', customer, identity) })
const settingsOf = async (identity: string) => {
  return app.data(contract.getChargerService, { token, params: paramsOf(identity) })
}
const form = { name: 'Yard 7', chargerType: 'AC', connectors: 1, maxKw: 22 } as const

test('D2 C4 an unknown charger is registered with a secret that is shown once, connects with it, and can get a new one', async () => {
  await bench.connect('new-7', { path: '/ocpp/north/new-7' }).catch(() => {})
  await bench.door.flush()
  expect(await app.data(contract.findUnknownChargers, { token })).toMatchObject({
    path: '/ocpp/north',
    unknown: [{ identity: 'new-7', tries: 1 }],
  })
  const { body } = await app.ask(contract.registerCharger, { token, body: { identity: 'new-7', ...form } })
  expect(body).toMatchObject({ message: m.chargerRegistered, data: { identity: 'new-7', path: '/ocpp/north/new-7' } })
  const { secret, _id } = body.data
  expect(secret).toMatch(/^[0-9a-f]{40}$/)
  expect((await app.data(contract.findUnknownChargers, { token })).unknown).toEqual([])
  // OCPP 1.6 sends the 20 bytes; some chargers send the hex digits.
  const opensWith = async (password: string) => Boolean(await bench.connect('new-7', { password }).catch(() => null))
  await expect.poll(() => opensWith(secret)).toBe(true)
  for (const password of [Buffer.from(secret, 'hex'), secret])
    expect((await (await bench.connect('new-7', { password })).boot()).payload).toMatchObject({ status: 'Accepted' })
  const renewed = await app.ask(contract.renewChargerSecret, { token, params: { id: _id } })
  expect(renewed.body.data.secret).not.toBe(secret)
  await expect.poll(() => opensWith(renewed.body.data.secret)).toBe(true)
  expect(await opensWith(secret)).toBe(true)
  const again = await app.ask(contract.registerCharger, { token, body: { identity: 'new-7', ...form } })
  expect([again.status, again.body.message]).toEqual([409, m.chargerTaken])
  const trail = (await app.trail('charger.%')).filter(({ subject }) => subject === 'Yard 7')
  expect(trail.map(({ action }) => action)).toEqual(['charger.register', 'charger.secret'])
  expect(JSON.stringify(trail)).not.toContain(secret)
})

test('D2 T1 two customers can have a charger of the same identity; the address, the key or the certificate decides', async () => {
  const register = (securityProfile: number) =>
    app.ask(contract.registerCharger, { token, body: { identity: 'twin', ...form, securityProfile } })
  const raise = (security_profile: number) =>
    app.byHand((tx) => tx.updateTable('charger').set({ security_profile }).where('identity', '=', 'twin').execute())
  await raise(3)
  const claimOf = async (customer: string) => {
    app.bus.resync()
    return (await openDirectory(app.records, app.clock.now).find('twin', customer))[0]?.claim
  }
  const twin = (await register(3)).body.data
  const used = (daysAgo: number) => ({ unnamed_certificate_at: new Date(app.clock.now() - daysAgo * 86_400_000) })
  expect(await claimOf('north')).toBe('free')
  await changeRows({ system: app.byHand }, 'charger', { charger_id: paramsOf('twin', 'west').id }, used(1))
  expect([await claimOf('north'), await claimOf('west')]).toEqual(['elsewhere', 'own'])
  await app.byHand((tx) => tx.updateTable('charger').set(used(91)).where('identity', '=', 'twin').execute())
  expect([await claimOf('north'), await claimOf('west')]).toEqual(['free', 'free'])
  expect((await register(3)).body.message).toBe(m.chargerTaken)
  await app.byHand((tx) => tx.deleteFrom('charger').where('charger_id', '=', twin._id).execute())
  await raise(1)
  app.bus.resync()
  const { secret, path } = (await register(1)).body.data
  expect(path).toBe('/ocpp/north/twin')
  const opened = async (address: string, password: string) => {
    const generationOf = async (customer: string) =>
      (await storedRow(app.records, 'charger', { identity: 'twin', customer_id: idOf('customer', customer) }))
        .generation
    const before = [await generationOf('north'), await generationOf('west')]
    await bench.connect('twin', { path: address, password }).catch(() => {})
    const after = [await generationOf('north'), await generationOf('west')]
    return ['north', 'west'].filter((_, i) => after[i] !== before[i])
  }
  await expect.poll(() => opened('/ocpp/north/twin', secret)).toEqual(['north'])
  expect(await opened('/ocpp/west/twin', key)).toEqual(['west'])
  expect(await opened('/ocpp/west/twin', secret)).toEqual([])
  expect(await opened('/ocpp/north/twin', key)).toEqual([])
  expect(await opened('/ocpp/twin', secret)).toEqual(['north'])
  expect(await opened('/ocpp/twin', key)).toEqual(['west'])
})

test('C4 an unknown charger can be dismissed from the list once', async () => {
  await bench.connect('stranger', { path: '/ocpp/north/stranger' }).catch(() => {})
  await bench.door.flush()
  const dismiss = async () => {
    const { status, body } = await app.ask(contract.dismissUnknownCharger, { token, params: { identity: 'stranger' } })
    return [status, body.message]
  }
  expect(await dismiss()).toEqual([200, m.chargerDismissed])
  expect((await app.data(contract.findUnknownChargers, { token })).unknown).toEqual([])
  expect(await dismiss()).toEqual([404, m.notFound])
})

test('C3 C4 1.6: each command is one call of the protocol and returns the answer of the charger', async () => {
  const words: Record<string, object> = {
    UnlockConnector: { status: 'UnlockFailed' },
    ChangeAvailability: { status: 'Scheduled' },
    UpdateFirmware: {},
    GetDiagnostics: { fileName: 'one.log' },
  }
  const charger = await bench.connect('old', { onAsked: ({ action }) => ({ status: 'Accepted', ...words[action] }) })
  const params = paramsOf('old')
  const location = 'https://me:hush@files.example/one.bin'
  const asks = [
    [contract.resetCharger, { kind: 'hard' }, 'Accepted', true],
    [contract.unlockConnector, { connectorId: 2 }, 'UnlockFailed', false],
    [contract.setChargerAvailability, { connectorId: 0, operative: false }, 'Scheduled', true],
    [contract.triggerCharger, { message: 'StatusNotification', connectorId: 1 }, 'Accepted', true],
    [contract.updateChargerFirmware, { location, retrieveAt: '2026-11-22T10:00:00Z' }, 'Accepted', true],
    [contract.askChargerDiagnostics, { location }, 'Accepted', true],
    [contract.clearChargerCache, undefined, 'Accepted', true],
  ] as const
  for (const [call, body, status, accepted] of asks) {
    // each body belongs to the call of its row
    const answer = await app.ask(call as typeof contract.resetCharger, { token, params, body: body as never })
    expect(answer.body.data, call.path).toEqual({ status, accepted })
  }
  expect(charger.asked).toEqual([
    { action: 'Reset', payload: { type: 'Hard' } },
    { action: 'UnlockConnector', payload: { connectorId: 2 } },
    { action: 'ChangeAvailability', payload: { connectorId: 0, type: 'Inoperative' } },
    { action: 'TriggerMessage', payload: { requestedMessage: 'StatusNotification', connectorId: 1 } },
    { action: 'UpdateFirmware', payload: { location, retrieveDate: '2026-11-22T10:00:00Z' } },
    { action: 'GetDiagnostics', payload: { location } },
    { action: 'ClearCache', payload: {} },
  ])
  await charger.call('FirmwareStatusNotification', { status: 'Downloading' })
  await charger.call('DiagnosticsStatusNotification', { status: 'Uploaded' })
  const { charger: shown, commands } = await settingsOf('old')
  expect(shown).toMatchObject({ firmwareUpdate: { status: 'Downloading' }, diagnostics: { status: 'Uploaded' } })
  expect(commands).toHaveLength(7)
  const trail = await app.trail('charger.command')
  expect(trail).toHaveLength(7)
  expect(JSON.stringify(trail)).not.toContain('hush')
})

test('1.6: the configuration is read and changed, and its secrets are not stored', async () => {
  const settings = new Map([
    ['HeartbeatInterval', '300'],
    ['AuthorizationKey', 'secret of mine'],
  ])
  await bench.connect('old', {
    onAsked: ({ action, payload }) => {
      if (action === 'ChangeConfiguration') settings.set(String(payload['key']), '120')
      return {
        status: 'RebootRequired',
        configurationKey: [...settings].map(([key, value]) => ({ key, value, readonly: false })),
      }
    },
  })
  const params = paramsOf('old')
  await app.ask(contract.readChargerConfiguration, { token, params })
  const before = await settingsOf('old')
  expect(before.configuration.map(({ variable, value }) => [variable, value])).toEqual([
    ['AuthorizationKey', null],
    ['HeartbeatInterval', '300'],
  ])
  expect(before.charger.configurationRead).not.toBeNull()
  const body = { variable: 'HeartbeatInterval', value: '60' }
  const changed = await app.ask(contract.saveChargerConfiguration, { token, params, body })
  expect(changed.body.data).toEqual({ status: 'RebootRequired', accepted: true })
  await expect.poll(async () => (await settingsOf('old')).configuration[1]?.value).toBe('120')
  const secret = { variable: 'AuthorizationKey', value: 'another secret of mine' }
  await app.ask(contract.saveChargerConfiguration, { token, params, body: secret })
  await bench.door.flush()
  const kept = await app.records.system(async (tx) => ({
    frames: await tx.selectFrom('charger_frames').select('frames').execute(),
    commands: await tx.selectFrom('charger_command').select(['action', 'asked']).execute(),
  }))
  expect(JSON.stringify(kept.frames)).toContain('***')
  expect(JSON.stringify(kept)).not.toContain('secret of mine')
})

test('2.0.1: the configuration is reported in parts, and a setting names its component and EVSE', async () => {
  const charger = await bench.connect('modern', {
    version: 'ocpp2.0.1',
    onAsked: ({ action }) =>
      action === 'SetVariables' ? { setVariableResult: [{ attributeStatus: 'Rejected' }] } : { status: 'Accepted' },
  })
  const params = paramsOf('modern')
  await app.ask(contract.readChargerConfiguration, { token, params })
  const requestId = charger.asked[0]?.payload['requestId']
  const part = (seqNo: number, name: string, tbc: boolean, evse?: number) => ({
    requestId,
    seqNo,
    tbc,
    generatedAt: new Date().toISOString(),
    reportData: [
      {
        component: { name, ...(evse ? { evse: { id: evse } } : {}) },
        variable: { name: 'Enabled' },
        variableAttribute: [{ value: 'true', mutability: 'ReadOnly' }],
      },
    ],
  })
  await charger.call('NotifyReport', part(0, 'Charger', true))
  await charger.call('NotifyReport', part(1, 'Connector', false, 2))
  expect((await settingsOf('modern')).configuration).toMatchObject([
    { component: 'Charger', variable: 'Enabled', value: 'true', readOnly: true },
    { component: 'Connector@2', variable: 'Enabled' },
  ])
  const body = { component: 'Connector@2', variable: 'Enabled', value: 'false' }
  const changed = await app.ask(contract.saveChargerConfiguration, { token, params, body })
  expect(changed.body.data).toEqual({ status: 'Rejected', accepted: false })
  expect(charger.asked[1]?.payload).toEqual({
    setVariableData: [
      { component: { name: 'Connector', evse: { id: 2 } }, variable: { name: 'Enabled' }, attributeValue: 'false' },
    ],
  })
})

test('a charger receives one call at a time, an equal command is refused while one is open, and an offline charger receives none', async () => {
  const charger = await bench.connect('silent', { onAsked: () => null })
  const params = paramsOf('silent')
  const first = app.ask(contract.clearChargerCache, { token, params })
  await expect.poll(() => charger.asked.length).toBe(1)
  const again = await app.ask(contract.resetCharger, { token, params, body: { kind: 'soft' } })
  expect([again.status, again.body.message]).toEqual([409, m.chargerCommandOpen])
  const other = app.ask(contract.unlockConnector, { token, params, body: { connectorId: 1 } })
  const open = () => storedRows(app.records, 'charger_command', { is_open: true }, ['command_id'])
  await expect.poll(async () => (await open()).length).toBe(2)
  expect(charger.asked).toHaveLength(1)
  charger.socket.terminate()
  for (const { body } of [await first, await other])
    expect(body.data).toEqual({ status: m.chargerSilent, accepted: false })
  const away = await app.ask(contract.clearChargerCache, { token, params: paramsOf('away') })
  expect([away.status, away.body.message]).toEqual([409, m.chargerOffline])
})

test('T1 R1 the frames of a charger are listed newest first for a sudoer of its customer only', async () => {
  const charger = await bench.connect('old')
  await charger.call('Heartbeat', {}, 'beat-1')
  await bench.door.flush()
  const { body } = await app.ask(contract.findChargerFrames, { token, params: paramsOf('old') })
  expect(body.data.frames.slice(0, 2)).toMatchObject([
    { direction: 'out', frame: expect.stringContaining('[3,"beat-1"') },
    { direction: 'in', frame: '[2,"beat-1","Heartbeat",{}]' },
  ])
  const expert = await app.tokenOf('expert@north.example')
  expect((await app.ask(contract.findChargerFrames, { token: expert, params: paramsOf('old') })).status).toBe(403)
  for (const call of [contract.findChargerFrames, contract.getChargerService])
    expect((await app.ask(call, { token, params: paramsOf('of-west', 'west') })).status).toBe(404)
  const fleet = await app.ask(contract.findChargerServices, { token })
  expect(fleet.body.data.chargers.map(({ identity }) => identity)).not.toContain('of-west')
})

test('C4 a registered charger without sessions or payments is removed with its data; a provisioned one is kept', async () => {
  const body = { identity: 'MISTAKE', name: 'Mistake', chargerType: 'AC' as const, connectors: 1, maxKw: 22 }
  const made = await app.data(contract.registerCharger, { token, body })
  const known = { password: made.secret, path: made.path }
  const charger = await vi.waitFor(() => bench.connect('MISTAKE', known), { timeout: 30_000, interval: 200 })
  await charger.boot()
  await charger.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' })
  const params = { id: made._id }
  expect((await app.ask(contract.removeCharger, { token, params })).body.message).toBe(m.chargerRemoved)
  await charger.closed
  await expect(bench.connect('MISTAKE', known)).rejects.toThrow('404')
  expect((await app.ask(contract.removeCharger, { token, params })).status).toBe(404)
  const refusal = async (identity: string) => {
    const answer = await app.ask(contract.removeCharger, { token, params: paramsOf(identity) })
    return [answer.status, answer.body.message]
  }
  expect(await refusal('away')).toEqual([409, m.chargerProvisioned])
  await changeRows({ system: app.byHand }, 'charger', {}, { registered_by: idOf('user', 'north', 'x') })
  const start = { connectorId: 1, idTag: 'ANNA', meterStart: 0, timestamp: iso(5) }
  await (await bench.connect('used')).call('StartTransaction', start)
  expect(await refusal('used')).toEqual([409, m.chargerHasSessions])
  const at = new Date()
  await addRows(app.records, 'payment', {
    customer_id: idOf('customer', 'north'),
    charger_id: paramsOf('paid').id,
    evse_no: 1,
    payment_id: newId(),
    user_id: newId(),
    state: 'failed',
    reserved_ore: 100,
    simulated: false,
    created_at: at,
    changed_at: at,
  })
  expect(await refusal('paid')).toEqual([409, m.chargerHasPayments])
  // A new table that refers to chargers must be listed here too.
  const referring = await app.records.system((tx) =>
    sql<{ name: string }>`select conrelid::regclass::text as name from pg_constraint
      where confrelid = 'charger'::regclass and contype = 'f' and confdeltype = 'a'`.execute(tx),
  )
  expect([...tables, 'charger_transaction', 'payment']).toEqual(
    expect.arrayContaining(referring.rows.map(({ name }) => name)),
  )
})
