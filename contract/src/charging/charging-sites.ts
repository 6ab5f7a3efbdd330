import { z } from 'zod'
import { call, id } from '#call.ts'
import { numberInUrl, shortText } from '#fields.ts'
import { windowQuery } from '#grid/frequency.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { fileFormat, graph } from '#series.ts'
import { simulated } from '#source.ts'
import { hourMs, minuteMs, quarterMs, type Span } from '#time.ts'

const params = z.object({ id: id('charging-site') })
export const chargerPhases = ['L1L2L3', 'L1', 'L2', 'L3'] as const
const priority = z.number().int().min(0).max(9)
/** A per phase. */
const amperes = z.number().nullable()

const connector = z.object({
  connectorId: z.number(),
  maxA: z.number(),
  /** Most it may draw now, even if the charger loses its connection. */
  heldA: z.number(),
  allowedA: amperes,
  /** Limit in the charger's own schedule. */
  toldA: amperes,
  measuredKw: z.number().nullable(),
  charging: z.boolean(),
  /** The charger has accepted a fallback; without one its whole power is reserved. */
  controlled: z.boolean(),
  /** False when the charger refuses session limits: then it counts with its full power. */
  steerable: z.boolean(),
  exceeds: z.boolean(),
  refusal: z.string().nullable(),
  /** Limit by the plan of its charger in this quarter of an hour; null without a plan. */
  plannedA: amperes,
  byHand: z.object({ limitA: z.number(), until: z.iso.datetime(), reason: z.string(), by: z.string() }).nullable(),
})
export type SiteConnector = z.infer<typeof connector>

export const chargingSite = z.object({
  _id: id('charging-site'),
  name: z.string(),
  limitA: z.number(),
  reserveA: z.number(),
  fallbackA: z.number(),
  nowKw: z.number().nullable(),
  /** Most the connectors may draw now, on the highest phase; never above the limit without the reserve once all fallbacks are accepted. */
  heldA: z.number(),
  chargers: z.array(
    z.object({
      chargerId: id('charger'),
      name: z.string(),
      phases: z.enum(chargerPhases),
      isActive: z.boolean(),
      connectors: z.array(connector),
    }),
  ),
})
export type ChargingSite = z.infer<typeof chargingSite>

export const findChargingSites = call({
  method: 'GET',
  path: '/client/cfm/site',
  summary:
    'List sites with the shared limit of their chargers, the allowed power of each connector, and the priority of tag groups',
  may: 'charger.read',
  of: ['charging-site', 'charger', 'tag', 'charging-session'],
  response: z.object({
    sites: z.array(chargingSite),
    priorities: z.array(z.object({ groupId: id('charger-tag-group'), name: z.string(), priority })),
  }),
})

const siteForm = z.strictObject({
  name: shortText,
  limitA: z.number().int().min(6).max(10_000),
  /** A per phase that stay free for other consumers of the site. */
  reserveA: z.number().int().min(0).max(10_000).optional(),
  /** A per connector while its charger is unreachable; the total of all must stay below the limit. */
  fallbackA: z.number().int().min(0).max(1000),
  chargers: z
    .array(z.strictObject({ chargerId: id('charger'), phases: z.enum(chargerPhases).default('L1L2L3') }))
    .max(limits.chargersPerSite),
})

export const addChargingSite = call({
  method: 'POST',
  path: '/client/cfm/site',
  summary: 'Create a site with the chargers that share its limit; a charger is in one site only',
  may: 'charger.edit',
  touches: ['charging-site'],
  body: siteForm,
  response: z.object({ _id: id('charging-site') }),
  ok: m.siteSaved,
})

export const saveChargingSite = call({
  method: 'PATCH',
  path: '/client/cfm/site/{id}',
  summary: 'Change a site; `chargers` are all of its chargers',
  may: 'charger.edit',
  touches: ['charging-site'],
  params,
  body: siteForm.partial(),
  ok: m.siteSaved,
})

export const removeChargingSite = call({
  method: 'DELETE',
  path: '/client/cfm/site/{id}',
  summary: 'Delete a site; its chargers stay, without a limit',
  may: 'charger.edit',
  touches: ['charging-site'],
  params,
  ok: m.siteRemoved,
})

export const saveGroupPriorities = call({
  method: 'PATCH',
  path: '/client/cfm/priority',
  summary: 'Set the priority of tag groups where a limit is shared',
  may: 'charger.edit',
  touches: ['tag', 'charging-site'],
  body: z.strictObject({
    priorities: z
      .array(z.strictObject({ groupId: id('charger-tag-group'), priority }))
      .min(1)
      .max(limits.tagGroups),
  }),
  ok: m.settingSaved,
})

const connectorBody = {
  chargerId: id('charger'),
  connectorId: z.number().int().min(1).max(limits.connectorsPerCharger),
}

export const setSiteLimit = call({
  method: 'POST',
  path: '/client/cfm/site/{id}/limit',
  summary: 'Set a temporary manual limit for a connector of a site; 0 A pauses its sessions',
  may: 'charger.edit',
  touches: ['charging-site'],
  params,
  body: z.strictObject({
    ...connectorBody,
    limitA: z.number().int().min(0).max(1000),
    hours: z.number().int().min(1).max(limits.handLimitHours),
    reason: shortText,
  }),
  ok: m.handLimitSet,
})

export const endSiteLimit = call({
  method: 'POST',
  path: '/client/cfm/site/{id}/limit/end',
  summary: 'End the manual limit of a connector',
  may: 'charger.edit',
  touches: ['charging-site'],
  params,
  body: z.strictObject(connectorBody),
  ok: m.handLimitEnded,
})

/** The recorded minutes of a day, means of longer windows, at most 800 of them. */
export const siteStepMs = ({ fromMs, toMs }: Span): number => {
  if (toMs - fromMs <= 25 * hourMs) return minuteMs
  return [quarterMs, hourMs].find((stepMs) => (toMs - fromMs) / stepMs <= 800) ?? 6 * hourMs
}

export const chargingSiteChart = call({
  method: 'GET',
  path: '/client/cfm/site/{id}/chart',
  summary: `Get the limit, the total, the allowed power of all connectors and the power of each connector of a site on a local day, or from start to end (${limits.chargerDays} days at most), in kW; of a single connector its allowed and its drawn power. More than a day as means of equal intervals, without the connectors. With \`format\` the samples`,
  may: 'charger.read',
  of: ['charging-site'],
  params,
  query: z.strictObject({
    date: windowQuery.date,
    start: windowQuery.start,
    end: windowQuery.end,
    chargerId: id('charger').optional(),
    connectorId: numberInUrl(z.int().min(1).max(limits.connectorsPerCharger)).optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({ chart: graph, simulated }),
})
