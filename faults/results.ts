import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Row = {
  fault: string
  lost: number
  doubled: number
  /** Infinity without an answer after the fault. */
  recoveryS: number
  boundS: number
  /** The metric that showed the fault and after how many seconds; null when it did not. */
  alarm: string | null
  detail: string
}

export const isMet = ({ lost, doubled, recoveryS, boundS, alarm }: Row): boolean =>
  lost === 0 && doubled === 0 && recoveryS <= boundS && alarm !== null

/** At any load of the machine: nothing lost, nothing doubled, and an answer after the fault. */
export const isWhole = ({ lost, doubled, recoveryS }: Row): boolean =>
  lost === 0 && doubled === 0 && Number.isFinite(recoveryS)

const file = join(import.meta.dirname, '../benchmarks/faults.md')

const lineOf = (row: Row, today: string) =>
  `| ${row.fault} | ${row.lost} | ${row.doubled} | ${row.recoveryS.toFixed(1)} (≤ ${row.boundS}) | ${row.alarm ?? 'none'} | ${isMet(row) ? '🟢 met' : '🔴 missed'} | ${row.detail} | ${today} |`

/** Rows that were not measured again keep their values and dates. */
export const writeResults = (measured: readonly Row[]): void => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const stored = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| What '))
  const today = new Date().toISOString().slice(0, 10)
  const kept = stored.filter((line) => !measured.some(({ fault }) => line.startsWith(`| ${fault} |`)))
  const rows = [...kept, ...measured.map((row) => lineOf(row, today))].toSorted()
  writeFileSync(
    file,
    `# Faults

\`npm run faults\` writes this file; a missed bound stays red. Lost: acknowledged, but not stored. Doubled: stored twice. Recovery: from the fault to the
first acknowledgement of something sent after it, in seconds; for a store that was stopped, from its continuation. Alarm: the metric that showed the fault, and seconds after it.

| What happened | Lost | Doubled | Recovery | Alarm | | Load | On |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`,
  )
}
