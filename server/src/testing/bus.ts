import { pino } from 'pino'
import { openEmbeddedBus, type Topic } from '#platform/messaging/bus.ts'

export const openTestBus = () => {
  const listeners: ((change: string) => void)[] = []
  const onChange = (listener: (change: string) => void) => {
    listeners.push(listener)
    return () => {}
  }
  const bus = openEmbeddedBus({ onChange }, pino({ level: 'silent' }))
  const change = (topic: Topic, id: string) => listeners.forEach((listener) => listener(`${topic}:${id}`))
  return { bus, change }
}
