import * as contract from '@gridmast/contract/charging/chargers.ts'
import { route } from '#context.ts'
import { give, type Kept } from './give.ts'

type Asked = Parameters<Parameters<typeof route<typeof contract.clearChargerCache>>[1]>[0]

const ask = ({ params, ...by }: Pick<Asked, 'params'> & Parameters<typeof give>[0], asked: Kept, evseNo = 0) =>
  give(by, { chargerId: params.id, evseNo, action: asked.kind, asked, audited: 'charger.command' })

export const serviceCommands = [
  route(contract.readChargerConfiguration, (by) => ask(by, { kind: 'read-all' })),
  route(contract.saveChargerConfiguration, (by) => {
    const { component = '', variable, value } = by.body
    return ask(by, { kind: 'write', component, variable, value })
  }),
  route(contract.resetCharger, (by) => ask(by, { kind: 'reset', isHard: by.body.kind === 'hard' })),
  route(contract.unlockConnector, (by) => ask(by, { kind: 'unlock', evse: by.body.connectorId }, by.body.connectorId)),
  route(contract.setChargerAvailability, (by) => {
    const { connectorId, operative } = by.body
    return ask(by, { kind: 'availability', evse: connectorId, isOperative: operative }, connectorId)
  }),
  route(contract.triggerCharger, (by) => {
    const { message, connectorId } = by.body
    return ask(by, { kind: 'trigger', message, evse: connectorId ?? null }, connectorId ?? 0)
  }),
  route(contract.updateChargerFirmware, (by) => {
    const { location, retrieveAt = new Date(by.nowMs).toISOString() } = by.body
    return ask(by, { kind: 'firmware', location, retrieveAt })
  }),
  route(contract.askChargerDiagnostics, (by) => ask(by, { kind: 'diagnostics', location: by.body.location })),
  route(contract.clearChargerCache, (by) => ask(by, { kind: 'clear-cache' })),
]
