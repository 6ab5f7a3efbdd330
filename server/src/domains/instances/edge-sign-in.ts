import { createHmac, randomBytes } from 'node:crypto'
import type { EdgeDirectory } from './directory.ts'

type Options = {
  directory: EdgeDirectory
  verifyPassword: (password: string, hash: string) => Promise<boolean>
}

/**
 * Checks the key of an edge. What was right once is remembered as a keyed hash while the stored hash stays the same, so that
 * 200 edges that reconnect at once do not cost 200 slow password checks.
 */
export const edgeSignIn = ({ directory, verifyPassword }: Options) => {
  const secret = randomBytes(32)
  const right = new Map<string, string>()
  return async (edgeKey: string, password: string): Promise<boolean> => {
    const edge = await directory.find(edgeKey)
    if (!edge) return false
    const proof = createHmac('sha256', secret).update(`${edge.passwordHash}\n${password}`).digest('base64')
    if (right.get(edgeKey) === proof) return true
    if (!(await verifyPassword(password, edge.passwordHash))) return false
    right.set(edgeKey, proof)
    return true
  }
}
