import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs } from '@gridmast/contract/time.ts'
import { addressPrefix } from '#platform/http/address.ts'
import { hashMachineSecret, isMachineHash, isMachineSecret, unknownMachineHash } from '#platform/security/token.ts'
import { verifyPassword } from '#platform/security/password.ts'
import type { Welcome } from '#protocols/mqtt/broker.ts'
import type { EdgeDirectory, EdgeEntry } from './directory.ts'

type Options = {
  directory: EdgeDirectory
  saveHash: (edge: EdgeEntry, hash: string) => Promise<void>
  now: () => number
  /** All edges behind a proxy share its address, so its failures are not counted. */
  isProxy?: (address: string) => boolean
  refusalMs?: number
}

const freeTries = { edge: 5, neighbourhood: 50 }

/**
 * Checks the key and secret of an edge. Failures delay the next try per edge and neighbourhood, so that a stranger elsewhere cannot lock an edge
 * out; with its current secret an edge never waits in a neighbourhood where it has signed in before.
 */
export const edgeSignIn = ({ directory, saveHash, now, isProxy = () => false, refusalMs = 100 }: Options) => {
  const ofEdge = tries(freeTries.edge, now)
  const ofNeighbourhood = tries(freeTries.neighbourhood, now)
  const welcomed = new Set<string>()

  const isRight = async (edge: EdgeEntry | null, secret: string): Promise<boolean> => {
    const hash = edge?.passwordHash ?? unknownMachineHash
    if (!edge || isMachineHash(hash)) return isMachineSecret(secret, hash) && edge !== null
    if (!(await verifyPassword(secret, hash))) return false
    edge.passwordHash = hashMachineSecret(secret)
    await saveHash({ ...edge, passwordHash: hash }, edge.passwordHash)
    return true
  }

  const check = async (edgeKey: string, secret: string, address: string): Promise<Welcome> => {
    const neighbourhood = addressPrefix(address)
    const pair = `${edgeKey} ${neighbourhood}`
    const isCounted = !isProxy(address)
    const isWaiting = isCounted && !(ofEdge.mayTry(pair) && ofNeighbourhood.mayTry(neighbourhood))
    if (isWaiting && !welcomed.has(pair)) return 'tries'
    if (await isRight(await directory.find(edgeKey), secret)) {
      ofEdge.forget(pair)
      welcomed.add(pair)
      return 'welcome'
    }
    if (isWaiting) return 'tries'
    if (isCounted) {
      ofEdge.failed(pair)
      ofNeighbourhood.failed(neighbourhood)
    }
    return 'credentials'
  }

  return async (edgeKey: string, secret: string, address: string): Promise<Welcome> => {
    const leastMs = pause(refusalMs)
    const welcome = await check(edgeKey, secret, address)
    if (welcome !== 'welcome') await leastMs
    return welcome
  }
}

/** Strangers can invent names: beyond this number the oldest are dropped. */
const maxNames = 10_000
const longestWaitMs = minuteMs
const forgottenMs = 15 * minuteMs

const tries = (free: number, now: () => number) => {
  const failuresByName = new Map<string, { failures: number; lastMs: number }>()
  const of = (name: string) => {
    const failed = failuresByName.get(name)
    return failed && now() - failed.lastMs < forgottenMs ? failed : { failures: 0, lastMs: 0 }
  }
  return {
    mayTry: (name: string) => {
      const { failures, lastMs } = of(name)
      return failures < free || now() - lastMs >= Math.min(longestWaitMs, 1000 * 2 ** (failures - free))
    },
    failed: (name: string) => {
      const { failures } = of(name)
      failuresByName.delete(name)
      failuresByName.set(name, { failures: failures + 1, lastMs: now() })
      for (const oldest of failuresByName.keys())
        if (failuresByName.size > maxNames) failuresByName.delete(oldest)
        else break
    },
    forget: (name: string) => void failuresByName.delete(name),
  }
}
