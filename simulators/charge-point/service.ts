import { openSettings } from './settings.ts'
import type { Payload } from './wire.ts'

type Options = {
  connectors: number
  version: string
  now: () => number
  say: (action: string, payload: Payload) => void
  boot: () => [action: string, payload: Payload]
  isFree: (connector: number) => boolean
  tellOf: (connector: number) => void
  restart: (isHard: boolean) => void
}

const firmwareSteps = ['Downloading', 'Downloaded', 'Installing', 'Installed']
const logSteps = ['Uploading', 'Uploaded']
const stepMs = 3000

export const openService = ({ connectors, version, now, say, boot, isFree, tellOf, restart }: Options) => {
  const settings = openSettings(connectors, now)
  const out = new Set<number>()
  const isOld = version === 'ocpp1.6'
  const all = Array.from({ length: connectors }, (_, i) => i + 1)

  const tellSteps = (action: string, steps: readonly string[], requestId: unknown) =>
    steps.forEach((status, i) => {
      const told = { status, ...(isOld ? {} : { requestId }) }
      setTimeout(() => say(action, told), (i + 1) * stepMs).unref()
    })
  const logAction = isOld ? 'DiagnosticsStatusNotification' : 'LogStatusNotification'

  const setOut = (payload: Payload): Payload => {
    const evse = payload['evse']
    const named = typeof evse === 'object' && evse !== null && 'id' in evse ? evse.id : payload['connectorId']
    const isIn = (payload['type'] ?? payload['operationalStatus']) === 'Operative'
    const chosen = Number(named ?? 0) === 0 ? all : [Number(named)]
    for (const one of chosen) {
      if (isIn) out.delete(one)
      else out.add(one)
      if (isFree(one)) tellOf(one)
    }
    return { status: chosen.every(isFree) ? 'Accepted' : 'Scheduled' }
  }

  const trigger = (message: unknown): Payload => {
    if (message === 'BootNotification') say(...boot())
    else if (message === 'Heartbeat') say('Heartbeat', {})
    else if (message === 'StatusNotification') all.forEach(tellOf)
    else if (message === 'FirmwareStatusNotification') say(message, { status: 'Idle' })
    else if (message === logAction) say(logAction, { status: 'Idle' })
    else return { status: 'NotImplemented' }
    return { status: 'Accepted' }
  }

  const answer = (action: string, payload: Payload): Payload => {
    const about = settings.answer(action, payload)
    if (about) return about
    switch (action) {
      case 'Reset':
        restart(payload['type'] === 'Hard' || payload['type'] === 'Immediate')
        return { status: 'Accepted' }
      case 'UnlockConnector':
        return { status: isFree(Number(payload['connectorId'] ?? payload['evseId'])) ? 'Unlocked' : 'UnlockFailed' }
      case 'ChangeAvailability':
        return setOut(payload)
      case 'TriggerMessage':
        return trigger(payload['requestedMessage'])
      case 'ClearCache':
        return { status: 'Accepted' }
      case 'UpdateFirmware':
        tellSteps('FirmwareStatusNotification', firmwareSteps, payload['requestId'])
        return isOld ? {} : { status: 'Accepted' }
      case 'GetDiagnostics':
      case 'GetLog':
        tellSteps(logAction, logSteps, payload['requestId'])
        return isOld ? { fileName: 'diagnostics.log' } : { status: 'Accepted', filename: 'diagnostics.log' }
      case 'GetBaseReport':
        setImmediate(() =>
          say('NotifyReport', {
            requestId: payload['requestId'],
            seqNo: 0,
            tbc: false,
            generatedAt: new Date(now()).toISOString(),
            reportData: settings.report(),
          }),
        )
        return { status: 'Accepted' }
      case 'GetTransactionStatus':
        return { messagesInQueue: false }
      default:
        return { status: 'Rejected' }
    }
  }

  return { answer, settings, isOut: (connector: number) => out.has(connector) }
}
