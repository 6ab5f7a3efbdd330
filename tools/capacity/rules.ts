import type { CurveName } from '../../benchmarks/growth-curves.ts'
import { assumed } from './assumed.ts'
import { type Costs, missingCurves } from './costs.ts'

/** What an installation has; a day has `samplesPerSecond` of all signals at once. */
export type Demand = {
  customers: number
  edges: number
  chargers: number
  meters: number
  users: number
  samplesPerSecond: number
  retentionDays: number
}

export type Origin = 'measured' | 'extrapolated' | 'assumed'
export type Line = { what: string; value: string; from: Origin }
export type Role = { role: string; processes: number; cores: number; memoryMb: number; connections: number }
export type Plan = { roles: Role[]; sections: { title: string; lines: Line[] }[]; bottleneck: string }

/** Beyond this multiple of the largest measured size a figure is extrapolated. */
const trusted = 10
const days = assumed.recordYears * 365
const connectionsOfProcess = assumed.databasePool + assumed.otherConnections

const whole = (value: number) => Math.round(value).toLocaleString('en')
const bytesText = (bytes: number) => {
  const [value, unit] = bytes >= 1e13 ? [bytes / 1e12, 'TB'] : [bytes / 1e9, 'GB']
  return `${value >= 10 ? whole(value) : value.toFixed(1)} ${unit}`
}

const measuredCosts = (costs: Costs) => {
  const missing = missingCurves(costs)
  if (missing.length > 0)
    throw new Error(
      `Costs of ${missing.join(', ')} are not measured: run node benchmarks/growth.ts ${missing.join(' ')}`,
    )
  const curve = (name: CurveName) => {
    const stored = costs.curves[name]
    if (!stored) throw new Error(`unreachable: ${name} is not missing`)
    return stored
  }
  return {
    each: (name: CurveName) => Math.max(0, curve(name).slope),
    /** CPU of one: the slope, or without a line the whole cost at the largest size, which rather counts too much. */
    cpuOf: (name: CurveName) => {
      const { isLinear, slope, points } = curve(name)
      const [size, cost] = points.at(-1) ?? [1, 0]
      return isLinear && slope > 0 ? slope : Math.max(0, slope, cost / size)
    },
    base: (name: CurveName) => Math.max(0, curve(name).base),
    newest: (name: CurveName) => curve(name).points.at(-1)?.[1] ?? 0,
    origin: (...sizes: [name: CurveName, size: number][]): Origin =>
      sizes.some(([name, size]) => size > trusted * Math.max(...curve(name).points.map(([largest]) => largest)))
        ? 'extrapolated'
        : 'measured',
  }
}
type Measured = ReturnType<typeof measuredCosts>

/** Cores of the main threads by role, and of the stores; memory in MB on top of an empty process. */
const needsOf = (demand: Demand, { each, cpuOf, newest }: Measured) => {
  const { customers, edges, chargers, users, samplesPerSecond } = demand
  const streams = users * assumed.activeShare
  const valuesPerS = (chargers * assumed.chargingShare) / assumed.secondsPerMeterValue
  const newsPerS = streams * Math.min(assumed.instancesPerStream, edges)
  /** The edges that were measured send five samples a second. */
  const edgesOfSamples = samplesPerSecond / assumed.signalsPerEdge
  const pagesMs = newest('customerPageMs') * (streams / assumed.secondsPerPage)
  const storesMs =
    cpuOf('edgeStoresMs') * edgesOfSamples +
    Math.max(0, cpuOf('messageCpuMs') - cpuOf('messageMainMs')) * valuesPerS +
    cpuOf('customerRecordsMs') * customers
  return {
    streams,
    edgesOfSamples,
    roles: [
      {
        role: 'web',
        cores: (pagesMs + cpuOf('streamMainMs') * streams + cpuOf('newsMainMs') * newsPerS) / 1000,
        memoryMb: each('streamRssMb') * streams,
      },
      {
        role: 'ingest',
        cores: (cpuOf('edgeMainMs') * Math.max(edges, edgesOfSamples)) / 1000,
        memoryMb: each('edgeRssMb') * edges,
      },
      {
        role: 'ocpp',
        cores: (cpuOf('chargerMainMs') * chargers + cpuOf('messageMainMs') * valuesPerS) / 1000,
        memoryMb: each('chargerRssMb') * chargers,
      },
      {
        role: 'jobs',
        cores: (cpuOf('customerMainMs') * customers) / 1000,
        memoryMb: each('customerRssMb') * customers,
      },
    ],
    storeCores: storesMs / 1000,
  }
}

/** Bytes on disk of one copy; `wal` is the log of a day. */
const bytesOf = (
  { customers, edges, chargers, meters, users, samplesPerSecond, retentionDays }: Demand,
  of: Measured,
) => {
  const { each, base } = of
  const money =
    edges *
    days *
    (each('settlementBytes') * assumed.settlementsPerEdgePerDay + each('bidBytes') * assumed.bidsPerEdgePerDay)
  const charging =
    chargers * days * (assumed.sessionsPerChargerPerDay * assumed.bytesPerSession + assumed.registerBytesPerDay)
  const meterDays = meters * days * assumed.bytesPerMeterDay
  const audit = users * days * assumed.auditEntriesPerUserPerDay * assumed.bytesPerAuditEntry
  const configuration = base('customerBytes') + each('customerBytes') * customers
  const records = money + charging + meterDays + audit + configuration
  const walShare = each('settlementWalBytes') / Math.max(1, each('settlementBytes'))
  return {
    samples: each('sampleBytes') * samplesPerSecond * 86_400 * retentionDays,
    money,
    charging,
    meterDays,
    audit,
    configuration,
    records,
    wal: (walShare * records) / days,
  }
}

/** Machines, memory, disk, connections and settings of an installation, from measured costs. */
export const planFor = (demand: Demand, costs: Costs): Plan => {
  const of = measuredCosts(costs)
  const { customers, edges, chargers, meters, samplesPerSecond, retentionDays } = demand
  const needs = needsOf(demand, of)
  const bytes = bytesOf(demand, of)
  const emptyMb = of.base('streamRssMb')
  const series = edges * assumed.signalsPerEdge
  const lastHourBytes = Math.max(assumed.lastHourBytes, Math.ceil(series * assumed.lastHourBytesPerSeries))
  const mainCores = needs.roles.reduce((sum, { cores }) => sum + cores, 0)
  const onlyMb =
    emptyMb + series * (assumed.lastHourBytesPerSeries / 1e6) + needs.roles.reduce((sum, one) => sum + one.memoryMb, 0)
  const isOne =
    mainCores <= assumed.busyShare && edges <= assumed.brokerConnections && onlyMb <= (assumed.machineGib * 1024) / 4

  const roles: Role[] = isOne
    ? [{ role: 'all', processes: 1, cores: mainCores + needs.storeCores, memoryMb: onlyMb, connections: 0 }]
    : needs.roles.map(({ role, cores, memoryMb }) => {
        const processes = Math.max(2, Math.ceil(cores / assumed.busyShare))
        return {
          role,
          processes,
          cores: cores / processes,
          memoryMb: emptyMb + memoryMb / processes,
          connections: processes * connectionsOfProcess,
        }
      })
  const processesOf = (role: string) => roles.find((one) => one.role === role)?.processes ?? 1
  const processes = roles.reduce((sum, one) => sum + one.processes, 0)
  const memoryMb = roles.reduce((sum, one) => sum + one.processes * one.memoryMb, 0)
  const connections = roles.reduce((sum, one) => sum + one.connections, 0)
  const requestHours = (Math.ceil(meters / assumed.metersPerRequest) * assumed.secondsPerRequest) / 3600

  const fleet = of.origin(
    ['edgeMainMs', Math.max(edges, needs.edgesOfSamples)],
    ['chargerMainMs', chargers],
    ['customerMainMs', customers],
    ['streamMainMs', needs.streams],
  )
  const samplesFrom = of.origin(['sampleBytes', samplesPerSecond * 86_400 * retentionDays])
  const wal = assumed.walBytes + (isOne ? 0 : bytes.wal * assumed.walDays)
  const copies = isOne ? 1 : assumed.replicas
  const disk = ((bytes.samples + bytes.records) * copies + wal) * assumed.spareDisk
  const backups = isOne ? assumed.keptBackups : assumed.replicas
  const storeCores = needs.storeCores / assumed.busyShare
  const [cores, gib] = [assumed.machineCores, assumed.machineGib]

  const machines: Line[] = isOne
    ? [
        {
          what: 'Machine',
          value: `1 with ${Math.max(2, Math.ceil(mainCores / assumed.busyShare + storeCores))} cores, ${Math.max(2, Math.ceil((1.5 * onlyMb) / 1024))} GiB`,
          from: fleet,
        },
      ]
    : [
        {
          what: 'Machines of Gridmast',
          value: `${whole(Math.max(2, Math.ceil(Math.max(processes / cores, memoryMb / 1024 / gib))))} with ${cores} cores, ${gib} GiB`,
          from: fleet,
        },
        {
          what: 'PostgreSQL and ClickHouse',
          value: `${whole(Math.max(2, storeCores))} cores for one copy, ${assumed.replicas} copies`,
          from: fleet,
        },
        { what: 'Broker and balancers', value: 'by their own manuals', from: 'assumed' },
      ]
  const limits: [share: number, text: string][] = isOne
    ? [
        [mainCores, 'the main thread, which has one core'],
        [
          (of.cpuOf('edgeRecordsMs') * edges + of.cpuOf('customerRecordsMs') * customers) / 1000,
          'the embedded records, which have one core',
        ],
        [edges / assumed.brokerConnections, 'connections of the embedded broker'],
        [requestHours / 24, 'requests to Eloverblik'],
      ]
    : [
        [processesOf('ingest') / assumed.mostPartitions, `partitions of ingest, ${assumed.mostPartitions} at most`],
        [connections / assumed.mostConnections, 'connections of PostgreSQL'],
        [
          storeCores / assumed.mostStoreCores,
          'CPU of the stores: shards of ClickHouse can be added, PostgreSQL cannot be divided',
        ],
        [requestHours / 24, 'requests to Eloverblik, a day of them at most'],
      ]
  const [first = [0, '']] = limits.toSorted(([a], [b]) => b - a)
  return {
    roles,
    sections: [
      { title: 'Machines', lines: machines },
      {
        title: 'Disk',
        lines: [
          {
            what: `Samples with roll-ups, ${whole(retentionDays)} days`,
            value: bytesText(bytes.samples),
            from: samplesFrom,
          },
          {
            what: `Settlements and bids, ${assumed.recordYears} years`,
            value: bytesText(bytes.money),
            from: of.origin(['settlementBytes', edges * days * assumed.settlementsPerEdgePerDay]),
          },
          { what: `Charging, ${assumed.recordYears} years`, value: bytesText(bytes.charging), from: 'assumed' },
          { what: `Meter days, ${assumed.recordYears} years`, value: bytesText(bytes.meterDays), from: 'assumed' },
          { what: `Audit trail, ${assumed.recordYears} years`, value: bytesText(bytes.audit), from: 'assumed' },
          {
            what: 'Customers and equipment',
            value: bytesText(bytes.configuration),
            from: of.origin(['customerBytes', customers]),
          },
          { what: 'Write-ahead logs', value: bytesText(wal), from: 'assumed' },
          {
            what: `Disks, ${copies === 1 ? 'one copy' : 'two copies'}, 30 % free`,
            value: bytesText(disk),
            from: samplesFrom,
          },
          {
            what: `Backups elsewhere, ${backups} kept`,
            value: bytesText((bytes.samples + bytes.records) * backups),
            from: samplesFrom,
          },
        ],
      },
      {
        title: 'Connections',
        lines: [
          { what: 'PostgreSQL', value: isOne ? 'none' : whole(connections), from: 'assumed' },
          { what: 'MQTT', value: whole(edges), from: of.origin(['edgeMainMs', edges]) },
          { what: 'OCPP', value: whole(chargers), from: of.origin(['chargerMainMs', chargers]) },
          { what: 'Live streams', value: whole(needs.streams), from: of.origin(['streamMainMs', needs.streams]) },
          { what: 'Hours of requests to Eloverblik a night', value: requestHours.toFixed(1), from: 'assumed' },
        ],
      },
      {
        title: 'Settings',
        lines: [
          { what: 'READINGS_RETENTION_DAYS', value: String(retentionDays), from: 'assumed' },
          ...(isOne
            ? [{ what: 'LAST_HOUR_BYTES', value: String(lastHourBytes), from: 'measured' as const }]
            : [
                { what: 'DATABASE_POOL', value: String(assumed.databasePool), from: 'assumed' as const },
                { what: 'max_connections', value: String(connections + 20), from: 'assumed' as const },
                {
                  what: 'INGEST_PARTITIONS',
                  value: String(Math.min(assumed.mostPartitions, assumed.partitionsPerProcess * processesOf('ingest'))),
                  from: 'assumed' as const,
                },
              ]),
        ],
      },
    ],
    bottleneck: `${first[1]} (${Math.round(first[0] * 100)} % used)`,
  }
}
