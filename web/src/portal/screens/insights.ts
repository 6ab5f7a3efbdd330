import {
  IconCalculator,
  IconChartArrowsVertical,
  IconChartBar,
  IconDatabase,
  IconFileCertificate,
  IconHistory,
  IconLeaf,
  IconNotes,
} from '@tabler/icons-react'
import { hubTabs } from '#meters/data-hub/tabs.ts'
import { loadShiftingTabs } from '#planning/load-shifting/tabs.ts'
import { screenGate } from '#shell/gate.ts'
import { calculatorSearch, carbonSearch, dayAheadSearch } from '#grid/search.ts'
import { hubSearch } from '#meters/data-hub/search.ts'
import { loadShiftingSearch } from '#planning/load-shifting/search.ts'
import { scope2Search } from '#meters/scope-2/search.ts'
import { pageSearch } from '#lib/url-state.ts'
import { withWords } from '#lib/i18n.ts'
import { screen } from './screen.ts'

export const insights = {
  '/insights/supportNotes': screen({
    title: 'Support Notes',
    words: 'Notes to the support team: add, read and edit.',
    in: '/insights',
    icon: IconNotes,
    gate: screenGate('supportNotes'),
    search: pageSearch,
    page: () => withWords(import('#people/support-notes/SupportNotes.tsx'), 'people'),
  }),
  '/insights/carbonemission': screen({
    title: 'Carbon Emission',
    words: 'Emission of the grid by area and day, and its prognosis.',
    in: '/insights',
    icon: IconLeaf,
    gate: screenGate('carbonemission'),
    search: carbonSearch,
    page: () => withWords(import('#grid/carbon/CarbonEmission.tsx'), 'grid'),
  }),
  '/insights/dayahead': screen({
    title: 'Day ahead',
    words: 'Day-ahead prices of one to three days, with tax, and their download.',
    in: '/insights',
    icon: IconChartBar,
    gate: screenGate('dayahead'),
    search: dayAheadSearch,
    page: () => withWords(import('#grid/prices/DayAhead.tsx'), 'grid'),
  }),
  '/insights/versionhistory': screen({
    title: 'Version History',
    words: 'Changes in each version, with the release date.',
    in: '/insights',
    icon: IconHistory,
    gate: screenGate('versionhistory'),
    search: pageSearch,
    page: () => withWords(import('#people/versions/VersionHistory.tsx'), 'people'),
  }),
  '/insights/dataHub': screen({
    title: 'Data Hub',
    words: 'Meters by CVR key, their consumption and cost, and their export.',
    in: '/insights',
    icon: IconDatabase,
    gate: screenGate('dataHub'),
    search: hubSearch,
    page: () => withWords(import('#meters/data-hub/DataHub.tsx'), 'meters'),
    tabs: hubTabs,
  }),
  '/insights/scope2': screen({
    title: 'Scope 2',
    words: 'Hourly emission of your meters’ electricity, as a report.',
    in: '/insights',
    icon: IconFileCertificate,
    gate: screenGate('dataHub'),
    search: scope2Search,
    page: () => withWords(import('#meters/scope-2/Scope2.tsx'), 'meters'),
  }),
  '/insights/revenuePotentialCalculator': screen({
    title: 'Revenue Potential Calculator',
    words: 'Revenue that a capacity would have earned in a market, by month.',
    in: '/insights',
    icon: IconCalculator,
    gate: screenGate('revenuePotentialCalculator'),
    search: calculatorSearch,
    page: () => withWords(import('#grid/revenue-calculator/RevenueCalculator.tsx'), 'grid'),
  }),
  '/insights/loadShifting': screen({
    title: 'Load Shifting',
    words: 'A plan that moves consumption to cheaper and cleaner hours, against the baseline.',
    in: '/insights',
    icon: IconChartArrowsVertical,
    gate: screenGate('loadShifting'),
    search: loadShiftingSearch,
    page: () => withWords(import('#planning/load-shifting/LoadShifting.tsx'), 'planning'),
    tabs: loadShiftingTabs,
  }),
}
