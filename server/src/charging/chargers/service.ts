import * as contract from '@gridmast/contract/charging/chargers.ts'
import { ownRoute, route } from '#context.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { getCharger } from './fleet.ts'
import { storedFrames } from '#charging/ledger/frame-ring.ts'
import type { StoredOrder } from './commands.ts'
import { sendCommand, type Sender } from './send-command.ts'

const chargersOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('charger as c')
    .selectAll('c')
    .select((of) =>
      of
        .selectFrom('charger_deviation as d')
        .whereRef('d.customer_id', '=', 'c.customer_id')
        .whereRef('d.charger_id', '=', 'c.charger_id')
        .select((select) => select.fn.sum<string | null>('d.count').as('count'))
        .as('deviations'),
    )
    .where('c.customer_id', '=', customerId)
    .where('c.enabled', '=', true)

type ChargerRow = Awaited<ReturnType<ReturnType<typeof chargersOf>['executeTakeFirstOrThrow']>>

const progressOf = (status: string | null, at: Date | null) =>
  status === null || at === null ? null : { status, at: at.toISOString() }

const toService = (row: ChargerRow): contract.ChargerService => ({
  _id: row.charger_id,
  name: row.name,
  identity: row.identity,
  connectors: row.connectors,
  isActive: row.online,
  lastSeen: row.last_seen_at?.toISOString() ?? null,
  version: row.version,
  vendor: row.vendor,
  model: row.model,
  firmware: row.firmware,
  firmwareUpdate: progressOf(row.firmware_status, row.firmware_status_at),
  diagnostics: progressOf(row.diagnostics_status, row.diagnostics_status_at),
  securityProfile: row.security_profile,
  configurationRead: row.configuration_read_at?.toISOString() ?? null,
  deviations: Number(row.deviations ?? 0),
})

const find = ownRoute(contract.findChargerServices, async (tx, customerId) => ({
  chargers: (await chargersOf(tx, customerId).orderBy('c.position').orderBy('c.charger_id').execute()).map(toService),
}))

const get = ownRoute(contract.getChargerService, async (tx, customerId, { params }) => {
  const row = await chargersOf(tx, customerId).where('c.charger_id', '=', params.id).executeTakeFirstOrThrow(notFound)
  const variables = await selectRows(tx, customerId, 'charger_variable', { charger_id: params.id })
    .select(['component', 'variable', 'value', 'read_only as readOnly', 'read_at'])
    .orderBy('component')
    .orderBy('variable')
    .execute()
  const deviations = await selectRows(tx, customerId, 'charger_deviation', { charger_id: params.id })
    .select(['deviation', 'count', 'last_at'])
    .orderBy('count', 'desc')
    .orderBy('deviation')
    .limit(100)
    .execute()
  const commands = await selectRows(tx, customerId, 'charger_command', { charger_id: params.id })
    .select(['action', 'evse_no as connectorId', 'state', 'answer', 'issued_at'])
    .orderBy('issued_at', 'desc')
    .limit(20)
    .execute()
  return {
    charger: toService(row),
    configuration: variables.map(({ read_at, ...variable }) => ({ ...variable, readAt: read_at.toISOString() })),
    deviations: deviations.map(({ last_at, ...deviation }) => ({ ...deviation, lastAt: last_at.toISOString() })),
    commands: commands.map(({ issued_at, ...command }) => ({ ...command, issuedAt: issued_at.toISOString() })),
  }
})

const framesKept = 200
const maxPerPiece = 1000

const frames = ownRoute(contract.findChargerFrames, async (tx, customerId, { params }) => {
  await getCharger(tx, customerId, params.id)
  const pieces = await selectRows(tx, customerId, 'charger_frames', { charger_id: params.id })
    .select(['no', 'frames'])
    .orderBy('no', 'desc')
    .execute()
  const newest = pieces.flatMap(({ no, frames: piece }) =>
    storedFrames
      .parse(piece)
      .map(([atMs, direction, frame], i) => ({
        no: no * maxPerPiece + i,
        at: new Date(atMs).toISOString(),
        direction,
        frame,
      }))
      .toReversed(),
  )
  return { frames: newest.slice(0, framesKept) }
})

type CommandRequest = Sender & { params: { id: string } }

const sendOrder = (request: CommandRequest, order: StoredOrder, evseNo = 0) =>
  sendCommand(request, { chargerId: request.params.id, evseNo, order })

export const services = [
  find,
  get,
  frames,
  route(contract.readChargerConfiguration, (request) => sendOrder(request, { kind: 'read-all' })),
  route(contract.saveChargerConfiguration, (request) => {
    const { component = '', variable, value } = request.body
    return sendOrder(request, { kind: 'write', component, variable, value })
  }),
  route(contract.resetCharger, (request) =>
    sendOrder(request, { kind: 'reset', isHard: request.body.kind === 'hard' }),
  ),
  route(contract.unlockConnector, (request) =>
    sendOrder(request, { kind: 'unlock', evse: request.body.connectorId }, request.body.connectorId),
  ),
  route(contract.setChargerAvailability, (request) => {
    const { connectorId, operative } = request.body
    return sendOrder(request, { kind: 'availability', evse: connectorId, isOperative: operative }, connectorId)
  }),
  route(contract.triggerCharger, (request) => {
    const { message, connectorId } = request.body
    return sendOrder(request, { kind: 'trigger', message, evse: connectorId ?? null }, connectorId ?? 0)
  }),
  route(contract.updateChargerFirmware, (request) => {
    const { location, retrieveAt = new Date(request.nowMs).toISOString() } = request.body
    return sendOrder(request, { kind: 'firmware', location, retrieveAt })
  }),
  route(contract.askChargerDiagnostics, (request) =>
    sendOrder(request, { kind: 'diagnostics', location: request.body.location }),
  ),
  route(contract.clearChargerCache, (request) => sendOrder(request, { kind: 'clear-cache' })),
]
