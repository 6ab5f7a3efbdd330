import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { openConnection } from './connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The socket of a charger that says what it is told to, and whatever it hears. */
const openFlood = () => {
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
  const told = { take: async () => '{}', frame: () => {}, deviations: () => {}, closed: () => {} }
  openConnection(socket as unknown as WebSocket, 'ocpp1.6', told)
  return { heard, socket, say: (text: string) => socket.emit('message', Buffer.from(text), false) }
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
