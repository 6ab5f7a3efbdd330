import type { Payload } from './wire.ts'

export type Sample = {
  at: string
  wh: number
  watt: number
  soc: number | null
  byPhases: boolean
  isHeld?: boolean
  isReplayed?: boolean
}
export type Session = {
  id: string
  number: number | null
  sequence: number
  connector: number
  tag: string
  remoteNo: number | null
}
type OcppMessage = [action: string, payload: Payload]

export type Speech = {
  boot: (model: string) => OcppMessage
  status: (connector: number, state: string, at: string, error?: string) => OcppMessage
  authorize: (tag: string) => OcppMessage
  started: (session: Session, sample: Sample) => OcppMessage
  values: (session: Session, sample: Sample) => OcppMessage
  stopped: (session: Session, sample: Sample, reason: string) => OcppMessage
  /** Whether the answer accepts the tag, and the number that the server assigned to the session. */
  taken: (answer: Payload | null) => { isAccepted: boolean; number: number | null }
}

const object = (value: unknown): Payload => (typeof value === 'object' && value !== null ? (value as Payload) : {})
const isAccepted = (info: unknown) => (object(info)['status'] ?? 'Accepted') === 'Accepted'

const powers = ({ watt, byPhases }: Sample): [value: number, phase: string | null][] =>
  byPhases ? ['L1', 'L2', 'L3'].map((phase) => [Math.round(watt / 3), phase]) : [[Math.round(watt), null]]

const values16 = (sample: Sample, context: string) => [
  {
    timestamp: sample.at,
    sampledValue: [
      { value: String(Math.round(sample.wh)), context, measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      ...powers(sample).map(([value, phase]) => ({
        value: String(value),
        context,
        measurand: 'Power.Active.Import',
        unit: 'W',
        ...(phase ? { phase } : {}),
      })),
      ...(sample.soc === null
        ? []
        : [{ value: String(Math.round(sample.soc)), context, measurand: 'SoC', unit: 'Percent', location: 'EV' }]),
    ],
  },
]

export const speech16: Speech = {
  boot: (model) => [
    'BootNotification',
    {
      chargePointVendor: 'Gridmast',
      chargePointModel: model,
      firmwareVersion: '1.6-sim',
      chargePointSerialNumber: 'SIM',
    },
  ],
  status: (connectorId, status, timestamp, error = 'NoError') => [
    'StatusNotification',
    { connectorId, status, errorCode: error, timestamp },
  ],
  authorize: (idTag) => ['Authorize', { idTag }],
  started: ({ connector, tag }, { wh, at }) => [
    'StartTransaction',
    { connectorId: connector, idTag: tag, meterStart: Math.round(wh), timestamp: at },
  ],
  values: ({ connector, number }, sample) => [
    'MeterValues',
    {
      connectorId: connector,
      meterValue: values16(sample, 'Sample.Periodic'),
      ...(number === null ? {} : { transactionId: number }),
    },
  ],
  stopped: ({ number, tag }, sample, reason) => [
    'StopTransaction',
    { transactionId: number ?? -1, idTag: tag, meterStop: Math.round(sample.wh), timestamp: sample.at, reason },
  ],
  taken: (answer) => ({
    isAccepted: answer !== null && isAccepted(answer['idTagInfo']),
    number: typeof answer?.['transactionId'] === 'number' ? answer['transactionId'] : null,
  }),
}

const values201 = (sample: Sample, context: string) => [
  {
    timestamp: sample.at,
    sampledValue: [
      {
        value: Math.round(sample.wh) / 1000,
        context,
        measurand: 'Energy.Active.Import.Register',
        unitOfMeasure: { unit: 'kWh' },
      },
      ...powers(sample).map(([value, phase]) => ({
        value,
        context,
        measurand: 'Power.Active.Import',
        unitOfMeasure: { unit: 'W' },
        ...(phase ? { phase } : {}),
      })),
      ...(sample.soc === null
        ? []
        : [
            {
              value: Math.round(sample.soc),
              context,
              measurand: 'SoC',
              location: 'EV',
              unitOfMeasure: { unit: 'Percent' },
            },
          ]),
    ],
  },
]

const states201: Record<string, string> = { Available: 'Available', Faulted: 'Faulted', Unavailable: 'Unavailable' }

const event = (eventType: string, session: Session, sample: Sample, more: Payload): OcppMessage => [
  'TransactionEvent',
  {
    eventType,
    timestamp: sample.at,
    seqNo: session.sequence++,
    ...more,
    ...(sample.isReplayed ? { offline: true } : {}),
  },
]

export const speech201: Speech = {
  boot: (model) => [
    'BootNotification',
    {
      reason: 'PowerUp',
      chargingStation: { model, vendorName: 'Gridmast', firmwareVersion: '2.0.1-sim', serialNumber: 'SIM' },
    },
  ],
  status: (evseId, state, timestamp) => [
    'StatusNotification',
    { evseId, connectorId: 1, connectorStatus: states201[state] ?? 'Occupied', timestamp },
  ],
  authorize: (idToken) => ['Authorize', { idToken: { idToken, type: 'ISO14443' } }],
  started: (session, sample) =>
    event('Started', session, sample, {
      triggerReason: session.remoteNo === null ? 'Authorized' : 'RemoteStart',
      transactionInfo: {
        transactionId: session.id,
        chargingState: 'Charging',
        ...(session.remoteNo === null ? {} : { remoteStartId: session.remoteNo }),
      },
      evse: { id: session.connector, connectorId: 1 },
      idToken: { idToken: session.tag, type: 'ISO14443' },
      meterValue: values201(sample, 'Transaction.Begin'),
    }),
  values: (session, sample) =>
    event('Updated', session, sample, {
      triggerReason: 'MeterValuePeriodic',
      transactionInfo: {
        transactionId: session.id,
        chargingState: sample.watt > 0 ? 'Charging' : sample.isHeld ? 'SuspendedEVSE' : 'SuspendedEV',
      },
      meterValue: values201(sample, 'Sample.Periodic'),
    }),
  stopped: (session, sample, reason) =>
    event('Ended', session, sample, {
      triggerReason: 'EVCommunicationLost',
      transactionInfo: { transactionId: session.id, stoppedReason: reason },
      meterValue: values201(sample, 'Transaction.End'),
    }),
  taken: (answer) => ({ isAccepted: answer !== null && isAccepted(answer['idTokenInfo']), number: null }),
}
