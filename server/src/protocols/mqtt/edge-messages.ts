import type { EdgeAddress } from './topics.ts'

/** What the broker hands over. */
export type EdgeMessage = EdgeAddress & { topic: string; payload: Buffer; receivedAtMs: number }

/** Resolves when the message is safely stored or quarantined: only then it is acknowledged. Rejects when it must be sent again. */
export type OnEdgeMessage = (message: EdgeMessage) => Promise<void>

/** Why something was refused: counted, and the connection ends (a subscription is answered with a failure). */
export type Refused =
  | 'credentials'
  | 'tries'
  | 'connections'
  | 'foreign topic'
  | 'foreign subscription'
  | 'qos'
  | 'oversize'
  | 'rate'
  | 'in flight'
  | 'not stored'
  | 'protocol'
