import { gzipSync } from 'node:zlib'

const faultKinds = [
  '429',
  '500',
  'no-filter',
  'html',
  'empty',
  'truncated',
  'null-rows',
  'late',
  'slow',
  'huge',
  'gzip-bomb',
  'down',
  'refused',
  'half',
  'correction',
  'no-list',
  'new-meter',
] as const
type FaultKind = (typeof faultKinds)[number]
const lasting: readonly FaultKind[] = ['late', 'correction', 'no-list', 'new-meter']

export type Fault = {
  kind: FaultKind
  /** A dataset's name, `entsoe`, `frequency`, `exchange-rates` or `eloverblik`, or '*' for all. */
  dataset: string
  /** Remaining requests; 0: until it is cleared. */
  times: number
  /** Of a 429, in seconds; 0 omits the header. */
  retryAfterS: number
  lateMinutes: number
  bytesPerSecond: number
}

const isKind = (value: unknown): value is FaultKind => faultKinds.some((kind) => kind === value)

export const readFault = (body: unknown): Fault | string => {
  if (typeof body !== 'object' || body === null) return 'expected an object'
  const given = new Map<string, unknown>(Object.entries(body))
  const kind = given.get('kind')
  if (!isKind(kind)) return `kind: expected one of ${faultKinds.join(', ')}`
  const dataset = given.get('dataset') ?? '*'
  if (typeof dataset !== 'string') return 'dataset: expected a name or *'
  const number = (name: string, otherwise: number) => {
    const value = given.get(name) ?? otherwise
    return typeof value === 'number' && value >= 0 ? value : NaN
  }
  const fault: Fault = {
    kind,
    dataset,
    times: number('times', lasting.includes(kind) ? 0 : 1),
    retryAfterS: number('retryAfterS', 120),
    lateMinutes: number('lateMinutes', 90),
    bytesPerSecond: number('bytesPerSecond', 200),
  }
  const wrong = Object.entries(fault).find(([, value]) => Number.isNaN(value))
  return wrong ? `${wrong[0]}: expected a number, 0 or more` : fault
}

export const meetFaults = (faults: Fault[], dataset: string): Fault[] => {
  const met = faults.filter((fault) => fault.dataset === '*' || fault.dataset.toLowerCase() === dataset.toLowerCase())
  for (const fault of met) {
    if (fault.times === 0) continue
    fault.times--
    if (fault.times === 0) faults.splice(faults.indexOf(fault), 1)
  }
  return met
}

/** 50 MB of blanks in about 200 kB, compressed on first use. */
export const bombOf = (): Buffer => (bomb ??= gzipSync(Buffer.alloc(50_000_000, ' '), { level: 1 }))
let bomb: Buffer | undefined
