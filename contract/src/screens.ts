import { gateRefusal, portalRoles, type Gate, type PortalRole, type Refusal, type Subject } from './roles.ts'

/**
 * Gates of screens. The id of a screen is also its key in a custom user's `allowed` map (specification text 2, section 6: "A custom role has an
 * allowed map per route id").
 */
const everyone = portalRoles
const open = (id: string, gate: Partial<Gate> = {}): Gate => ({ roles: everyone, allowed: [id], ...gate })
const notAuditor = ['sudoer', 'expert', 'custom'] as const satisfies readonly PortalRole[]

export const screens = {
  dashboard: open('dashboard', { feature: 'trueGreen' }),
  e3: open('e3', { feature: 'trueGreen' }),
  e3App: open('e3App'),
  demandResponse: open('demandResponse'),
  dataHub: open('dataHub', { licence: 'dataHub' }),
  loadShifting: open('loadShifting', { licence: 'loadShifting' }),
  supportNotes: open('supportNotes'),
  versionhistory: open('versionhistory'),
  carbonemission: open('carbonemission'),
  dayahead: open('dayahead', { allowed: ['dayahead', 'nordPool'] }),
  revenuePotentialCalculator: open('revenuePotentialCalculator'),
  eConomics: open('eConomics'),
  emailSubscriptions: open('emailSubscriptions'),
  cfmdashboard: open('cfmdashboard', { licence: 'CFM' }),
  cfm: open('cfm', { licence: 'CFM' }),
  cfmTools: open('cfmTools', { licence: 'CFM', roles: notAuditor }),
  cfmMobilepay: open('cfmMobilepay', { licence: 'CFM', flag: 'mobilepay' }),
  systemOverview: { roles: everyone },
  security: { roles: everyone },
  apiKeys: { roles: ['sudoer'] },
  webhooks: { roles: ['sudoer'] },
  reports: { roles: ['sudoer', 'expert'] },
  edges: { roles: ['sudoer'] },
  audit: { roles: ['sudoer', 'auditor'] },
} as const satisfies Record<string, Gate>

export type ScreenName = keyof typeof screens

export const screenRefusal = (subject: Subject, name: ScreenName): Refusal | null => gateRefusal(subject, screens[name])

/** Markets that need an enabled licence in addition to `biddingMarkets`. */
const licensedMarkets = ['FCR', 'FFR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-N', 'aFRR']

export const shownMarkets = (subject: Subject): string[] =>
  subject.biddingMarkets.filter((market) => market !== 'DC-PLANNER' && marketRefusal(subject, market) === null)

/** The market in the address is not case-sensitive. */
export const marketRefusal = (subject: Subject, market: string): Refusal | null => {
  const refused = screenRefusal(subject, 'demandResponse')
  if (refused) return refused
  const known = subject.biddingMarkets.find((own) => own.toLowerCase() === market.toLowerCase())
  if (!known) return 'licence'
  return licensedMarkets.includes(known) && !subject.licences.includes(known) ? 'licence' : null
}
