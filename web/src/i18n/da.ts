import type { FiguredSentence, PlainSentence } from '@gridmast/contract/messages.ts'
import type { roleNames } from '@gridmast/contract/roles.ts'
import first from './da-first.ts'
import annotations from './da/annotations.ts'
import charging from './da/charging.ts'
import chargingFleet from './da/charging-fleet.ts'
import charts from './da/charts.ts'
import contractProducts from './da/contract-products.ts'
import delivery from './da/delivery.ts'
import deliveryEdges from './da/delivery-edges.ts'
import energy from './da/energy.ts'
import faults from './da/faults.ts'
import firstSteps from './da/first-steps.ts'
import grid from './da/grid.ts'
import help from './da/help.ts'
import homeEditor from './da/home-editor.ts'
import meters from './da/meters.ts'
import operator from './da/operator.ts'
import palette from './da/palette.ts'
import people from './da/people.ts'
import peopleAudit from './da/people-audit.ts'
import peopleReports from './da/people-reports.ts'
import planning from './da/planning.ts'
import screens from './da/screens.ts'
import security from './da/security.ts'
import settlement from './da/settlement.ts'
import shared from './da/shared.ts'
import trading from './da/trading.ts'
import wall from './da/wall.ts'

/** Danish of pages, by the name that a page requires it with; `shared` is required by every page. */
export const daOfPages = {
  annotations,
  charging,
  'charging-fleet': chargingFleet,
  charts,
  'contract-products': contractProducts,
  delivery,
  'delivery-edges': deliveryEdges,
  energy,
  faults,
  'first-steps': firstSteps,
  grid,
  help,
  'home-editor': homeEditor,
  meters,
  operator,
  palette,
  people,
  'people-audit': peopleAudit,
  'people-reports': peopleReports,
  planning,
  screens,
  security,
  settlement,
  shared,
  trading,
  wall,
}

type OfContract = PlainSentence | FiguredSentence | (typeof roleNames)[keyof typeof roleNames]

/** Danish, by the English sentence. A sentence on screen that is missing here does not compile. Nothing of a page imports it but types. */
export const da = {
  ...first,
  ...annotations,
  ...charging,
  ...chargingFleet,
  ...charts,
  ...contractProducts,
  ...delivery,
  ...deliveryEdges,
  ...energy,
  ...faults,
  ...firstSteps,
  ...grid,
  ...help,
  ...homeEditor,
  ...meters,
  ...operator,
  ...palette,
  ...people,
  ...peopleAudit,
  ...peopleReports,
  ...planning,
  ...screens,
  ...security,
  ...settlement,
  ...shared,
  ...trading,
  ...wall,
} satisfies Record<OfContract, string>

type Key = Exclude<keyof typeof da, `${string}_one`>
/** A sentence of a number of things, in English; `<sentence>_one` is what both languages say of one. */
export type PluralSentence = Extract<Key, `${string}{{count}}${string}`>
/** Every other sentence of the portal, in English. */
export type Sentence = Exclude<Key, PluralSentence>
