import { z } from 'zod'
import { call, id } from '#call.ts'
import { chargingAreas } from './charging-costs.ts'
import { requiredText, shortText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'

const params = z.object({ id: id('charger') })
const instant = z.iso.datetime()

export const findUnknownChargers = call({
  method: 'GET',
  path: '/client/cfm/unknown',
  summary: 'List unregistered chargers that tried to connect at the company’s address, newest first',
  may: 'charger.read',
  of: ['charger'],
  response: z.object({
    unknown: z.array(z.object({ identity: z.string(), firstSeen: instant, lastSeen: instant, tries: z.number() })),
    /** Path of the address to configure in a charger, so that it is listed here. */
    path: z.string(),
  }),
})

const identity = z
  .string({ error: m.required })
  .regex(/^[A-Za-z0-9_.:=*+|@-]{1,48}$/, m.chargerIdentity)
  .meta({ examples: ['CP-MATRIX'] })

export const dismissUnknownCharger = call({
  method: 'DELETE',
  path: '/client/cfm/unknown/{identity}',
  summary: 'Remove an unregistered charger from the list; it is listed again when it connects again',
  may: 'charger.edit',
  touches: ['charger'],
  params: z.object({ identity }),
  ok: m.chargerDismissed,
})

const secretAnswer = z.object({
  _id: id('charger'),
  identity: z.string(),
  /** Shown once: the charger's password for its sign-in. */
  secret: z.string(),
  path: z.string(),
})

export const registerCharger = call({
  method: 'POST',
  path: '/client/cfm/charger',
  summary: 'Register a charger, also an unregistered one that tried to connect; its secret is answered only once',
  may: 'charger.edit',
  touches: ['charger'],
  body: z.strictObject({
    identity,
    name: shortText,
    description: text(limits.descriptionLength).optional(),
    chargerType: z.enum(['AC', 'DC']),
    connectors: z.number().int().min(1).max(limits.connectorsPerCharger),
    maxKw: z.number().positive(m.positive).max(2000),
    securityProfile: z.number().int().min(1).max(3).default(1),
    /** Grid area for the emission; default is the area of its price. */
    area: z.enum(chargingAreas).optional(),
  }),
  response: secretAnswer,
  ok: m.chargerRegistered,
})

export const renewChargerSecret = call({
  method: 'POST',
  path: '/client/cfm/charger/{id}/secret',
  summary: 'Create a new secret of a charger, answered only once; the previous secret is valid for another 24 hours',
  may: 'charger.edit',
  touches: ['charger'],
  params,
  response: secretAnswer,
  ok: m.chargerSecretRenewed,
})

export const removeCharger = call({
  method: 'DELETE',
  path: '/client/cfm/charger/{id}',
  summary: 'Remove a charger that was registered by mistake; a charger with sessions cannot be removed',
  may: 'charger.edit',
  touches: ['charger'],
  params,
  ok: m.chargerRemoved,
})

const progress = z.object({ status: z.string(), at: instant }).nullable()

export const chargerService = z.object({
  _id: id('charger'),
  name: z.string(),
  identity: z.string(),
  connectors: z.number(),
  isActive: z.boolean(),
  lastSeen: instant.nullable(),
  version: z.string().nullable(),
  vendor: z.string().nullable(),
  model: z.string().nullable(),
  firmware: z.string().nullable(),
  firmwareUpdate: progress,
  diagnostics: progress,
  securityProfile: z.number(),
  configurationRead: instant.nullable(),
  deviations: z.number(),
})
export type ChargerService = z.infer<typeof chargerService>

export const findChargerServices = call({
  method: 'GET',
  path: '/client/cfm/charger',
  summary: 'List all chargers with their firmware, its update, their diagnostics and their protocol deviations',
  may: 'charger.read',
  of: ['charger', 'charging-site'],
  response: z.object({ chargers: z.array(chargerService) }),
})

const variable = z.object({
  /** OCPP 2.0.1 only; empty in 1.6, which has no components. */
  component: z.string(),
  variable: z.string(),
  value: z.string().nullable(),
  readOnly: z.boolean(),
  readAt: instant,
})
export type ChargerVariable = z.infer<typeof variable>

export const getChargerService = call({
  method: 'GET',
  path: '/client/cfm/charger/{id}',
  summary: 'Get a charger: its configuration as last read, its protocol deviations, and its last 20 commands',
  may: 'charger.read',
  of: ['charger'],
  params,
  response: z.object({
    charger: chargerService,
    configuration: z.array(variable),
    deviations: z.array(z.object({ deviation: z.string(), count: z.number(), lastAt: instant })),
    commands: z.array(
      z.object({
        action: z.string(),
        connectorId: z.number(),
        state: z.string(),
        answer: z.string().nullable(),
        issuedAt: instant,
      }),
    ),
  }),
})

export const findChargerFrames = call({
  method: 'GET',
  path: '/client/cfm/charger/{id}/frames',
  summary: 'List the newest 200 frames of a charger as sent and received, newest first',
  may: 'charger.frames',
  of: ['charger'],
  params,
  response: z.object({
    frames: z.array(z.object({ no: z.number(), at: instant, direction: z.enum(['in', 'out']), frame: z.string() })),
  }),
})

const answered = z.object({ status: z.string(), accepted: z.boolean() })
const command = { method: 'POST', may: 'charger.command', touches: ['charger'], params, response: answered } as const

const anyConnector = z.number().int().min(0).max(limits.connectorsPerCharger)

export const readChargerConfiguration = call({
  ...command,
  path: '/client/cfm/charger/{id}/configuration/read',
  summary: 'Request the whole configuration of a charger; a charger of OCPP 2.0.1 sends it after its answer',
})

export const saveChargerConfiguration = call({
  ...command,
  path: '/client/cfm/charger/{id}/configuration',
  summary: 'Change one setting of a charger; `component` is for OCPP 2.0.1',
  body: z.strictObject({
    component: text(50).optional(),
    variable: requiredText(50),
    value: text(500),
  }),
})

export const resetCharger = call({
  ...command,
  path: '/client/cfm/charger/{id}/reset',
  summary: 'Restart a charger: soft ends its sessions first, hard does not',
  body: z.strictObject({ kind: z.enum(['soft', 'hard']) }),
})

export const unlockConnector = call({
  ...command,
  path: '/client/cfm/charger/{id}/unlock',
  summary: 'Unlock the cable of a connector',
  body: z.strictObject({ connectorId: z.number().int().min(1).max(limits.connectorsPerCharger) }),
})

export const setChargerAvailability = call({
  ...command,
  path: '/client/cfm/charger/{id}/availability',
  summary: 'Switch a connector, or the whole charger (0), out of service or back into service',
  body: z.strictObject({ connectorId: anyConnector, operative: z.boolean() }),
})

export const chargerMessages = [
  'BootNotification',
  'Heartbeat',
  'StatusNotification',
  'MeterValues',
  'FirmwareStatusNotification',
  'DiagnosticsStatusNotification',
] as const

export const triggerCharger = call({
  ...command,
  path: '/client/cfm/charger/{id}/trigger',
  summary: 'Request a message from a charger now',
  body: z.strictObject({ message: z.enum(chargerMessages), connectorId: anyConnector.optional() }),
})

const location = z
  .string({ error: m.required })
  .max(500, m.longest(500))
  .regex(/^(?:https?|ftps?|sftp):\/\/[\x21-\x7e]+$/, m.fileAddress)
  .meta({ examples: ['https://files.north.example/one.bin'] })

export const updateChargerFirmware = call({
  ...command,
  path: '/client/cfm/charger/{id}/firmware',
  summary: 'Request that a charger downloads and installs firmware; its progress is in the list of chargers',
  body: z.strictObject({
    location,
    retrieveAt: z.iso.datetime({ error: m.instant }).max(40, m.longest(40)).optional(),
  }),
})

export const askChargerDiagnostics = call({
  ...command,
  path: '/client/cfm/charger/{id}/diagnostics',
  summary: 'Request that a charger uploads its diagnostics to an address',
  body: z.strictObject({ location }),
})

export const clearChargerCache = call({
  ...command,
  path: '/client/cfm/charger/{id}/clear-cache',
  summary: 'Clear the tag cache of a charger',
})
