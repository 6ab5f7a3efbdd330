import { edgeAck, edgeAckName } from '@gridmast/contract/delivery/edge.ts'
import type { Message } from './messages.ts'

/** With a broker in between, a PUBACK does not prove storage on the server: a group's messages are kept until `ack` names them. */
export type Acks = {
  named: (message: Message) => Promise<boolean>
  heard: (payload: string) => void
  giveUp: () => void
}

export const openAcks = (patienceMs: number): Acks => {
  const waiting = new Map<string, Set<(isNamed: boolean) => void>>()
  const settle = (name: string, isNamed: boolean) => {
    for (const resolve of waiting.get(name) ?? []) resolve(isNamed)
    waiting.delete(name)
  }
  return {
    named: ({ topic, payload }) =>
      new Promise((resolve) => {
        const [, , , kind = '', group = ''] = topic.split('/')
        if (!isKind(kind)) return resolve(true) // of no group: only the broker's PUBACK confirms it
        const name = nameOf(group, edgeAckName[kind].parse({ ...JSON.parse(payload), kind }))
        const timer = setTimeout(() => settle(name, false), patienceMs)
        timer.unref()
        const waiters = waiting.get(name) ?? new Set()
        waiting.set(name, waiters)
        waiters.add((isNamed) => {
          clearTimeout(timer)
          resolve(isNamed)
        })
      }),
    heard: (payload) => {
      const { groupId, stored } = edgeAck.parse(JSON.parse(payload))
      for (const message of stored) settle(nameOf(groupId, message), true)
    },
    giveUp: () => {
      for (const name of waiting.keys()) settle(name, false)
    },
  }
}

const isKind = (text: string): text is keyof typeof edgeAckName => Object.hasOwn(edgeAckName, text)

const nameOf = (group: string, name: object) => JSON.stringify([group, name])
