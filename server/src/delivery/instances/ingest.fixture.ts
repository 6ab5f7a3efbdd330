import { hashMachineSecret } from '#platform/security/token.ts'
import type { EdgeDirectory, EdgeEntry } from './directory.ts'

export const testDirectory = (count = 50): EdgeDirectory => {
  const passwordHash = hashMachineSecret('key')
  const edges = new Map(
    Array.from({ length: count }, (_, i): [string, EdgeEntry] => {
      const no = 10 * (i + 1)
      const instance = {
        instanceId: `instance-${i + 1}`,
        signals: {
          frequency: no,
          power: no + 1,
          setPoint: no + 2,
          capacityUp: no + 3,
          capacityDown: no + 4,
          soc: no + 5,
          energy: no + 6,
        },
      }
      const key = `edge-${i + 1}`
      const instances = new Map([
        ['lab', instance],
        [instance.instanceId, instance],
      ])
      return [key, { customerId: 'customer-1', edgeId: `id-${key}`, key, passwordHash, instances }]
    }),
  )
  return { find: async (edgeKey) => edges.get(edgeKey) ?? null }
}
