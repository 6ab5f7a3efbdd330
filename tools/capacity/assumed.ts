/** Figures that no benchmark measures. */
export const assumed = {
  /** Share of a core that a process may use on average. */
  busyShare: 0.5,
  /** Of a machine of its own. */
  machineCores: 8,
  machineGib: 32,
  /** Share of users with the portal open at the same time; each has one live stream and opens a page every half minute. */
  activeShare: 0.1,
  secondsPerPage: 30,
  /** A live stream receives news of the edges of its customer, at most this often; an edge sends one message a second. */
  instancesPerStream: 6,
  /** Share of chargers with a session at the same time; each sends meter values once a minute. */
  chargingShare: 0.2,
  secondsPerMeterValue: 60,
  sessionsPerChargerPerDay: 2,
  /** docs/operations/growth.md: a session with its cost, four messages and its registers. */
  bytesPerSession: 1000 + 4 * 400,
  registerBytesPerDay: 96 * 100,
  /** A day of quarters of a meter: 96 numbers and their quality. */
  bytesPerMeterDay: 96 * 5 + 100,
  bidsPerEdgePerDay: 24,
  settlementsPerEdgePerDay: 1,
  auditEntriesPerUserPerDay: 5,
  bytesPerAuditEntry: 385,
  /** The Danish bookkeeping act requires five years. */
  recordYears: 5,
  /** BACKUP_KEEP_DAYS, _WEEKS and _MONTHS. */
  keptBackups: 7 + 4 + 12,
  walDays: 7,
  /** docs/operations/growth.md: the most that the embedded records, or `max_wal_size` of PostgreSQL, keep of their own log. */
  walBytes: 1e9,
  spareDisk: 1.3,
  /** benchmarks/results.md: memory of the last hour of a series at 1 Hz, in a process with embedded readings, up to LAST_HOUR_BYTES. */
  lastHourBytesPerSeries: 31_000,
  lastHourBytes: 200e6,
  signalsPerEdge: 5,
  databasePool: 20,
  /** Notifications and cancels, in addition to the pool. */
  otherConnections: 2,
  mostPartitions: 64,
  /** So that the share of each process is even after one is added or lost. */
  partitionsPerProcess: 4,
  /** Beyond these a pooler with sessions and another layout are needed. */
  mostConnections: 1000,
  mostStoreCores: 64,
  /** Connections of the embedded broker, of one process. */
  brokerConnections: 10_000,
  /** Eloverblik allows 120 requests a minute with 10 meters each; ELOVERBLIK_MIN_INTERVAL_MS. */
  metersPerRequest: 10,
  secondsPerRequest: 0.55,
  /** A replicated PostgreSQL server and a cluster of ClickHouse store everything twice. */
  replicas: 2,
} as const
