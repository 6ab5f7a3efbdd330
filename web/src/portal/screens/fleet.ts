import { IconChargingPile, IconDeviceMobileDollar, IconTool } from '@tabler/icons-react'
import { screenGate } from '#shell/gate.ts'
import { paymentsSearch } from '#charging/payments/search.ts'
import { fleetSearch, toolsSearch } from '#charging/fleet/search.ts'
import { screen } from './screen.ts'
import { withWords } from '#lib/i18n.ts'

export const fleet = {
  '/cfmdashboard': screen({
    title: 'Charge Fleet Management',
    words: 'Charging sessions, their energy and cost.',
    short: 'CFM',
    in: '/cfm',
    icon: IconChargingPile,
    gate: screenGate('cfmdashboard'),
    search: fleetSearch,
    page: () => withWords(import('#charging/fleet/CfmDashboard.tsx'), 'charging', 'charging-fleet'),
  }),
  '/cfm/tools': screen({
    title: 'CFM Tools',
    short: 'Tools',
    words: 'Import of tags, registration of chargers, firmware, availability and sites that share a limit.',
    in: '/cfm',
    icon: IconTool,
    gate: screenGate('cfmTools'),
    search: toolsSearch,
    page: () => withWords(import('#charging/fleet/CfmTools.tsx'), 'charging', 'charging-fleet'),
  }),
  '/cfm/mobilepay': screen({
    title: 'MobilePay',
    words: 'Payments of each charging session, their states and totals.',
    in: '/cfm',
    icon: IconDeviceMobileDollar,
    gate: screenGate('cfmMobilepay'),
    search: paymentsSearch,
    page: () => withWords(import('#charging/payments/MobilePay.tsx'), 'charging', 'charging-fleet'),
  }),
}
