import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { openConnection } from './connection.ts'
import { type Version, versions } from './frames.ts'
import { v201 } from './v201.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const openFlood = (version: Version = 'ocpp1.6') => {
  const heard: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    isPaused: false,
    bufferedAmount: 0,
    send: (text: string) => void heard.push(text),
    pause: () => (socket.isPaused = true),
    resume: () => (socket.isPaused = false),
    close: vi.fn(),
    terminate: vi.fn(),
  })
  const told = { handle: async () => '{}', frame: vi.fn(), deviations: () => {}, closed: () => {}, failed: vi.fn() }
  const connection = openConnection(socket as unknown as WebSocket, version, told)
  return { heard, socket, told, connection, say: (text: string) => socket.emit('message', Buffer.from(text), false) }
}

test('L1 a charger that floods is read no faster than a hundred messages a second', async () => {
  const { heard, socket, say } = openFlood()
  for (let i = 0; i < 5000; i++) say(`[2,"${i}","Heartbeat",{}]`)
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toHaveLength(2000)
  expect(socket.isPaused).toBe(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard.length).toBeGreaterThan(2950)
  expect(heard.length).toBeLessThanOrEqual(3000)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(heard).toHaveLength(5000)
  expect(socket.isPaused).toBe(false)
  expect(socket.close).not.toHaveBeenCalled()
})

test('L1 what says a hundred texts that are no frames is no charger', () => {
  const { socket, say } = openFlood()
  for (let i = 0; i < 100; i++) say('{}')
  expect(socket.close).not.toHaveBeenCalled()
  say('no frame')
  expect(socket.close).toHaveBeenCalledExactlyOnceWith(1002, 'Not OCPP')
})

const deep = `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`

test.each(
  versions.flatMap((version) =>
    [`[2,"x","Heartbeat",${deep}]`, `[3,"ID",${deep}]`, `[4,"ID","GenericError","",${deep}]`].map(
      (frame) => [version, frame.slice(0, 12), frame] as const,
    ),
  ),
)('L1 %s: a frame nested 8,000 levels deep is no frame: %s', async (version, _, frame) => {
  const { heard, socket, told, connection, say } = openFlood(version)
  const answer = connection.call({ kind: 'list-version' })
  const [, id] = /^\[2,"([^"]+)"/.exec(heard[0] ?? '') ?? []
  say(frame.replace('ID', 'unknown'))
  say(frame.replace('ID', String(id)))
  say('[2,"after","Heartbeat",{}]')
  await vi.advanceTimersByTimeAsync(0)
  expect(heard.at(-1)).toBe('[3,"after",{}]')
  expect([socket.terminate.mock.calls, told.failed.mock.calls]).toEqual([[], []])
  say(`[3,"${id}",{"listVersion":1,"versionNumber":1}]`)
  expect(await answer).toMatchObject({ kind: 'answered', listVersion: 1 })
})

test('a fault while a message is read ends the connection of its charger only', () => {
  const { socket, told, say } = openFlood()
  const fault = new Error('a fault')
  told.frame.mockImplementationOnce(() => {
    throw fault
  })
  say('[2,"x","Heartbeat",{}]')
  expect(socket.terminate).toHaveBeenCalledOnce()
  expect(told.failed).toHaveBeenCalledExactlyOnceWith(fault)
})

/** Unread messages initiated by a charging station (OCPP 2.0.1, part 2). */
test.each(['Get15118EVCertificate', 'GetCertificateStatus', 'NotifyEVChargingNeeds', 'NotifyEVChargingSchedule'])(
  '2.0.1: %s is for a central system, and this one does not support it',
  (action) => expect(() => v201.read(action, {})).toThrow(expect.objectContaining({ trouble: 'notSupported' })),
)
