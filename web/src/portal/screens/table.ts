import { IconChargingPile, IconDeviceMobileDollar, IconTool } from '@tabler/icons-react'
import { toolsTabs } from '#charging/fleet/tabs.ts'
import { screenGate } from '#shell/gate.ts'
import { paymentsSearch } from '#charging/payments/search.ts'
import { fleetSearch, toolsSearch } from '#charging/fleet/search.ts'
import { withWords } from '#lib/i18n.ts'
import { account } from './account.ts'
import { insights } from './insights.ts'
import { main } from './main.ts'
import { screen } from './screen.ts'

const fleet = {
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
    tabs: toolsTabs,
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

/**
 * All screens inside of the shell by path, in the order of the sidebar and the menus. A new screen is a new row, with its page in a product's
 * folder.
 */
export const screens = { ...main, ...insights, ...fleet, ...account }

export type Screens = typeof screens
export type ScreenPath = keyof Screens
