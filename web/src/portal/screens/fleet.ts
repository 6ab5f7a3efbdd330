import { IconChargingPile, IconDeviceMobileDollar, IconTool } from '@tabler/icons-react'
import { screenGate } from '#shell/gate.ts'
import { paymentsSearch } from '#charging/payments/search.ts'
import { fleetSearch } from '#charging/fleet/search.ts'
import { toolsSearch } from '#charging/fleet/tools-search.ts'
import { screen } from './screen.ts'

/** Under CFM. */
export const fleet = {
  '/cfmdashboard': screen({
    title: 'Charge Fleet Management',
    words: 'Charging sessions, their energy and cost.',
    short: 'CFM',
    in: '/cfm',
    icon: IconChargingPile,
    gate: screenGate('cfmdashboard'),
    search: fleetSearch,
    page: () => import('#charging/fleet/CfmDashboard.tsx'),
  }),
  '/cfm/tools': screen({
    title: 'CFM Tools',
    short: 'Tools',
    words: 'Import of tags, registration of chargers, firmware, availability and sites that share a limit.',
    in: '/cfm',
    icon: IconTool,
    gate: screenGate('cfmTools'),
    search: toolsSearch,
    page: () => import('#charging/fleet/CfmTools.tsx'),
  }),
  '/cfm/mobilepay': screen({
    title: 'MobilePay',
    words: 'Payments of each charging session, their states and totals.',
    in: '/cfm',
    icon: IconDeviceMobileDollar,
    gate: screenGate('cfmMobilepay'),
    search: paymentsSearch,
    page: () => import('#charging/payments/MobilePay.tsx'),
  }),
}
