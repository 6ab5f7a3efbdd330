import * as contract from '@gridmast/contract/charging/chargers.ts'
import { route } from '#context.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getCharger } from './fleet.ts'
import { storedFrames } from '#charging/ledger/frame-ring.ts'

/** What is known of chargers as machines: firmware, settings, deviations, commands and raw frames. */

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

type Row = Awaited<ReturnType<ReturnType<typeof chargersOf>['executeTakeFirstOrThrow']>>

const progressOf = (status: string | null, at: Date | null) =>
  status === null || at === null ? null : { status, at: at.toISOString() }

const toService = (row: Row): contract.ChargerService => ({
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

const find = route(contract.findChargerServices, async ({ own }) => ({
  chargers: (
    await own((tx, customerId) => chargersOf(tx, customerId).orderBy('c.position').orderBy('c.charger_id').execute())
  ).map(toService),
}))

const get = route(contract.getChargerService, async ({ own, params }) =>
  own(async (tx, customerId) => {
    const row = await chargersOf(tx, customerId).where('c.charger_id', '=', params.id).executeTakeFirst()
    if (!row) throw notFound()
    const variables = await tx
      .selectFrom('charger_variable')
      .selectAll()
      .where('customer_id', '=', customerId)
      .where('charger_id', '=', params.id)
      .orderBy('component')
      .orderBy('variable')
      .execute()
    const deviations = await tx
      .selectFrom('charger_deviation')
      .select(['deviation', 'count', 'last_at'])
      .where('customer_id', '=', customerId)
      .where('charger_id', '=', params.id)
      .orderBy('count', 'desc')
      .orderBy('deviation')
      .limit(100)
      .execute()
    const commands = await tx
      .selectFrom('charger_command')
      .select(['action', 'evse_no', 'state', 'answer', 'issued_at'])
      .where('customer_id', '=', customerId)
      .where('charger_id', '=', params.id)
      .orderBy('issued_at', 'desc')
      .limit(20)
      .execute()
    return {
      charger: toService(row),
      configuration: variables.map((one) => ({
        component: one.component,
        variable: one.variable,
        value: one.value,
        readOnly: one.read_only,
        readAt: one.read_at.toISOString(),
      })),
      deviations: deviations.map(({ deviation, count, last_at }) => ({
        deviation,
        count,
        lastAt: last_at.toISOString(),
      })),
      commands: commands.map((one) => ({
        action: one.action,
        connectorId: one.evse_no,
        state: one.state,
        answer: one.answer,
        issuedAt: one.issued_at.toISOString(),
      })),
    }
  }),
)

const framesKept = 200
/** Frames of one piece have numbers of their own, in its order. */
const mostInPiece = 1000

const frames = route(contract.findChargerFrames, async ({ own, params }) =>
  own(async (tx, customerId) => {
    await getCharger(tx, customerId, params.id)
    const pieces = await tx
      .selectFrom('charger_frames')
      .select(['no', 'frames'])
      .where('customer_id', '=', customerId)
      .where('charger_id', '=', params.id)
      .orderBy('no', 'desc')
      .execute()
    const found = pieces.flatMap(({ no, frames: piece }) =>
      storedFrames
        .parse(piece)
        .map(([atMs, direction, frame], i) => ({
          no: no * mostInPiece + i,
          at: new Date(atMs).toISOString(),
          direction,
          frame,
        }))
        .toReversed(),
    )
    return { frames: found.slice(0, framesKept) }
  }),
)

export const services = [find, get, frames]
