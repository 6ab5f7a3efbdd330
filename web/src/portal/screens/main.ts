import {
  IconApps,
  IconChartDots3,
  IconCoinEuro,
  IconLayoutDashboard,
  IconPlugConnected,
  IconWaveSine,
} from '@tabler/icons-react'
import { evSearch } from '#charging/chargers/search.ts'
import { chargingTabs } from '#charging/chargers/tabs.ts'
import { notificationSearch } from '#delivery/alerts/search.ts'
import { withWords } from '#lib/i18n.ts'
import { homeSearch } from '#portal/home/layout.ts'
import { appSearch } from '#portal/licence-app/search.ts'
import { tabParts } from '#portal/licence-app/tabs.ts'
import { economicsSearch } from '#settlement/economics/search.ts'
import { economicsTabs } from '#settlement/economics/tabs.ts'
import { anyOf, homeGate, licenceGate, marketGate, screenGate } from '#shell/gate.ts'
import { marketSearch } from '#trading/market/search.ts'
import { marketTabs } from '#trading/market/tabs.ts'
import { apps, legacyLicences, licenceName, markets } from './licences.ts'
import { sectionIndex, screen } from './screen.ts'

export const main = {
  '/': screen({
    title: 'E3 Dashboard',
    short: 'Home',
    in: 'sidebar',
    icon: IconLayoutDashboard,
    gate: homeGate,
    search: homeSearch,
    page: () => import('#portal/home/Home.tsx'),
  }),
  '/dashboard': screen({
    title: 'E3 Dashboard',
    gate: screenGate('dashboard'),
    search: homeSearch,
    page: () => import('#portal/home/Home.tsx'),
  }),
  '/e3-App': screen({
    title: 'E3 Apps',
    short: 'Apps',
    in: 'sidebar',
    icon: IconApps,
    gate: screenGate('e3App'),
    entries: apps,
    page: sectionIndex,
  }),
  '/e3-App/evCharging': screen({
    title: 'EV Charging',
    gate: (user, { params, search }) =>
      licenceGate('e3App')(user, { params: { ...params, name: 'evCharging' }, search }),
    search: evSearch,
    page: () => withWords(import('#charging/chargers/EvCharging.tsx'), 'charging'),
    tabs: chargingTabs,
  }),
  '/e3-App/$name': screen({
    title: 'E3 Apps',
    titleOf: licenceName,
    gate: licenceGate('e3App'),
    search: appSearch,
    page: () => withWords(import('#portal/licence-app/LicenceApp.tsx'), 'delivery', 'annotations'),
    tabs: tabParts,
  }),
  '/e3': screen({
    title: 'Licenses',
    gate: screenGate('e3'),
    entries: legacyLicences,
    page: sectionIndex,
  }),
  '/e3/$licenseId': screen({
    title: 'Licenses',
    titleOf: licenceName,
    gate: licenceGate('e3'),
    search: appSearch,
    page: () => withWords(import('#portal/licence-app/LicenceApp.tsx'), 'delivery', 'annotations'),
    tabs: tabParts,
  }),
  '/e3-Legacy/$source': screen({
    title: 'Notification',
    gate: screenGate('e3App'),
    search: notificationSearch,
    page: () => withWords(import('#delivery/alerts/Notification.tsx'), 'delivery'),
  }),
  '/demandResponse': screen({
    title: 'Demand Response',
    short: 'Markets',
    in: 'sidebar',
    icon: IconWaveSine,
    gate: screenGate('demandResponse'),
    entries: markets,
    page: sectionIndex,
  }),
  '/demandResponse/$market': screen({
    title: 'Demand Response',
    titleOf: (user, { params }) =>
      user.customerId.biddingMarkets.find((market) => market.toLowerCase() === params['market']?.toLowerCase()),
    gate: marketGate,
    search: marketSearch,
    page: () => withWords(import('#trading/market/Market.tsx'), 'trading', 'delivery', 'annotations'),
    tabs: marketTabs,
  }),
  '/insights': screen({
    title: 'Insights',
    in: 'sidebar',
    icon: IconChartDots3,
    gate: anyOf(
      screenGate('supportNotes'),
      screenGate('carbonemission'),
      screenGate('dayahead'),
      screenGate('versionhistory'),
      screenGate('dataHub'),
      screenGate('revenuePotentialCalculator'),
      screenGate('loadShifting'),
    ),
    page: sectionIndex,
  }),
  '/eConomics': screen({
    title: 'eConomics',
    in: 'sidebar',
    icon: IconCoinEuro,
    gate: screenGate('eConomics'),
    search: economicsSearch,
    page: () => withWords(import('#settlement/economics/Economics.tsx'), 'settlement'),
    tabs: economicsTabs,
  }),
  '/cfm': screen({
    title: 'CFM',
    in: 'sidebar',
    icon: IconPlugConnected,
    gate: anyOf(screenGate('cfm'), screenGate('cfmdashboard'), screenGate('cfmTools'), screenGate('cfmMobilepay')),
    page: sectionIndex,
  }),
}
