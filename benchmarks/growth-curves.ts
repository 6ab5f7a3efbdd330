// The growth curves: what is measured by which script, and the limit that ends it.

type Limit = { most: number; what: string }

export type CurveSpec = {
  group: string
  /** What grows: the size of a point counts it. */
  per: string
  cost: string
  /** Field of the costs of a point. */
  field: string
  unit: string
  limit?: Limit
}

export const scripts = ['history', 'customers', 'edges', 'chargers', 'streams'] as const
export type Script = (typeof scripts)[number]

/** A thread of JavaScript has one core. */
const core = { most: 1000, what: 'one core of the main thread' }
const recordsCore = { most: 1000, what: 'one core of the embedded records' }
const memory = { most: 4096, what: '4 GiB of memory' }
const answer = { most: 1000, what: 'a second of CPU for one answer' }

const cpu = 'ms of CPU a second'

export const curveSpecs = {
  sampleBytes: {
    group: 'history',
    per: 'stored sample',
    cost: 'disk, with roll-ups',
    field: 'sampleBytes',
    unit: 'bytes',
  },
  sampleChartMs: {
    group: 'history',
    per: 'stored sample',
    cost: 'chart of a day',
    field: 'sampleChartMs',
    unit: 'ms of CPU',
    limit: answer,
  },
  sampleAnswerBytes: {
    group: 'history',
    per: 'stored sample',
    cost: 'its answer',
    field: 'sampleAnswerBytes',
    unit: 'bytes',
  },
  settlementBytes: {
    group: 'history',
    per: 'stored settlement',
    cost: 'disk',
    field: 'settlementBytes',
    unit: 'bytes',
  },
  settlementWalBytes: {
    group: 'history',
    per: 'stored settlement',
    cost: 'write-ahead log',
    field: 'settlementWalBytes',
    unit: 'bytes',
  },
  settlementPageMs: {
    group: 'history',
    per: 'stored settlement',
    cost: 'page of a month',
    field: 'settlementPageMs',
    unit: 'ms of CPU',
    limit: answer,
  },
  settlementAnswerBytes: {
    group: 'history',
    per: 'stored settlement',
    cost: 'its answer',
    field: 'settlementAnswerBytes',
    unit: 'bytes',
  },
  bidBytes: { group: 'history', per: 'stored bid', cost: 'disk', field: 'bidBytes', unit: 'bytes' },
  bidPageMs: {
    group: 'history',
    per: 'stored bid',
    cost: 'sold capacity of a day',
    field: 'bidPageMs',
    unit: 'ms of CPU',
    limit: answer,
  },
  bidAnswerBytes: { group: 'history', per: 'stored bid', cost: 'its answer', field: 'bidAnswerBytes', unit: 'bytes' },
  customerBytes: {
    group: 'customers',
    per: 'customer',
    cost: 'disk of the records',
    field: 'recordsBytes',
    unit: 'bytes',
  },
  customerImportMs: {
    group: 'customers',
    per: 'customer',
    cost: 'provisioning',
    field: 'provisionMs',
    unit: 'ms of CPU',
  },
  customerStartMs: {
    group: 'customers',
    per: 'customer',
    cost: 'start of the server',
    field: 'startMs',
    unit: 'ms of CPU',
  },
  customerMainMs: {
    group: 'customers',
    per: 'customer',
    cost: 'main thread at rest',
    field: 'mainMs',
    unit: cpu,
    limit: core,
  },
  customerRecordsMs: {
    group: 'customers',
    per: 'customer',
    cost: 'records at rest',
    field: 'recordsMs',
    unit: cpu,
    limit: recordsCore,
  },
  customerRssMb: { group: 'customers', per: 'customer', cost: 'memory', field: 'rssMb', unit: 'MB', limit: memory },
  customerPageMs: {
    group: 'customers',
    per: 'customer',
    cost: 'the calls of home',
    field: 'pageMs',
    unit: 'ms of CPU',
    limit: answer,
  },
  edgeMainMs: { group: 'edges', per: 'edge', cost: 'main thread', field: 'mainMs', unit: cpu, limit: core },
  edgeRecordsMs: {
    group: 'edges',
    per: 'edge',
    cost: 'embedded records',
    field: 'recordsMs',
    unit: cpu,
    limit: recordsCore,
  },
  edgeStoresMs: {
    group: 'edges',
    per: 'edge',
    cost: 'all other threads: both stores, garbage collection',
    field: 'storesMs',
    unit: cpu,
  },
  edgeRssMb: {
    group: 'edges',
    per: 'edge',
    cost: 'memory, without the last hour of its series',
    field: 'rssMb',
    unit: 'MB',
    limit: memory,
  },
  chargerMainMs: {
    group: 'chargers',
    per: 'idle charger',
    cost: 'main thread',
    field: 'mainMs',
    unit: cpu,
    limit: core,
  },
  chargerRssMb: { group: 'chargers', per: 'idle charger', cost: 'memory', field: 'rssMb', unit: 'MB', limit: memory },
  messageMainMs: {
    group: 'chargers',
    per: 'meter value a second',
    cost: 'main thread',
    field: 'messageMainMs',
    unit: cpu,
    limit: core,
  },
  messageCpuMs: {
    group: 'chargers',
    per: 'meter value a second',
    cost: 'all threads, with both stores',
    field: 'messageCpuMs',
    unit: cpu,
  },
  streamMainMs: { group: 'streams', per: 'idle stream', cost: 'main thread', field: 'mainMs', unit: cpu, limit: core },
  streamRssMb: { group: 'streams', per: 'idle stream', cost: 'memory', field: 'rssMb', unit: 'MB', limit: memory },
  newsMainMs: {
    group: 'streams',
    per: 'stream',
    cost: 'one piece of news to all of them',
    field: 'newsMainMs',
    unit: 'ms of CPU',
    limit: { most: 1000, what: 'one piece of news a second' },
  },
} as const satisfies Record<string, CurveSpec & { group: Script }>

export type CurveName = keyof typeof curveSpecs

/** Limits of the program, per process. */
export const fixedLimits: Partial<Record<Script, Limit>> = {
  edges: { most: 10_000, what: '10,000 connections of the embedded broker' },
}
