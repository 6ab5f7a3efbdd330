import type { Records } from '#platform/records/records.ts'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'

const company = (key: string, name: string, dashboard = '{}') => `
  - key: ${key}
    name: ${name}
    trueGreen: true
    areas: [DK1, DK2]
    cvrs: ['99000007', '99000023', '99000031']
    biddingMarkets: [FCR-D-INC, FCR-D-DEC]
    properties: { enableLineMin: true, lineMin: 49.9, enableLineMax: true, lineMax: 50.1, lowVisible: 49.8, highVisible: 50.2 }
    licences:
      - { type: FCR-D-INC, name: FCR-D-INC }
      - { type: FCR-D-DEC, name: FCR-D-DEC }
      - { type: dataHub, name: Data Hub }
    edges:
      - { key: ${key}-edge, name: Edge, password: gridmast-demo, area: DK2 }
    instances:
      - { key: cold, name: ${name} Cold, licence: FCR-D-INC, edge: ${key}-edge, markets: [FCR-D-INC], area: DK2, kind: cold-store, flexibleKw: 420 }
      - { key: heat, name: ${name} Heat, licence: FCR-D-DEC, edge: ${key}-edge, markets: [FCR-D-DEC], area: DK2, kind: cold-store, flexibleKw: 80 }
    frequency:
      - { key: dk2, name: DK2 · Nordic, area: DK2, instance: cold }
    priceSignals:
      - { key: dk2, name: DK2, area: DK2, taxDkkPerMwh: '119' }
    dashboard: ${dashboard}
    users:
      - { email: sudoer@${key}.example, name: Sudo, role: sudoer, password: gridmast-demo }
      - { email: expert@${key}.example, name: Expert, role: expert, password: gridmast-demo }
      - { email: auditor@${key}.example, name: Auditor, role: auditor, password: gridmast-demo }
      - { email: custom@${key}.example, name: Custom, role: custom, password: gridmast-demo, allowed: { dashboard: true } }
      - { email: admin@${key}.example, name: Admin, role: admin, password: gridmast-demo }`

/** Two customers with equal parts, each with data that the other must never see. */
export const provisionTwoCustomers = async (records: Records): Promise<void> => {
  const text = `customers:${company('north', 'North')}${company('west', 'West')}\n`
  await applyProvisioning(records, readProvisioning(text), { dryRun: false })
}

export const northOnly = (dashboard: string): string => `customers:${company('north', 'North', dashboard)}\n`
