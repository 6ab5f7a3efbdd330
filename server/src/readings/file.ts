import { limits } from '@gridmast/contract/limits.ts'
import type { SimulatedSum } from '@gridmast/contract/source.ts'
import { localText } from '@gridmast/contract/time.ts'
import { invalid } from '#platform/http/errors.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, type TableFile } from '#platform/files/table-file.ts'
import type { ExportRow } from './samples.ts'
import type { Readings } from './readings.ts'

type FileSignal = { no: number; name: string; unit: string; simulated: boolean }

type FileOfReadings = {
  fileName: string
  signals: FileSignal[]
  about?: TableFile['about']
  fromMs: number
  toMs: number
}

/** Simulated sources are named, because a file is read without the screen. */
export const aboutSimulated = (
  label: string,
  sources: readonly Pick<FileSignal, 'name' | 'simulated'>[],
): TableFile['about'] => {
  const simulated = sources.filter((source) => source.simulated)
  if (simulated.length === 0) return undefined
  const isPart = simulated.length < sources.length
  return { [label]: isPart ? `Simulated: ${simulated.map(({ name }) => name).join(', ')}` : 'Simulated' }
}

export const aboutData = (simulated: SimulatedSum): { Data?: string } =>
  simulated ? { Data: simulated === 'part' ? 'Partly simulated' : 'Simulated' } : {}

/** All samples of the span as a file: local time, UTC, one column per series. Throws a 400 when the rows exceed a sheet. */
export const readingsFile = async (readings: Readings, request: FileOfReadings): Promise<{ file: TableFile }> => {
  const { signals, about = aboutSimulated('Source', signals), fromMs, toMs } = request
  const counts = await Promise.all(signals.map(({ no }) => readings.buckets({ signalNo: no, edgesMs: [fromMs, toMs] })))
  const rows = Math.max(0, ...counts.map(([bucket]) => bucket?.count ?? 0))
  if (rows >= limits.exportRows)
    throw invalid({ end: `${rows} samples do not fit a sheet of ${limits.exportRows}: choose a shorter time` })
  const name = { fileName: `${request.fileName} ${localText(fromMs).slice(0, 16)}`, sheet: 'Readings', about }
  const columns: Column<ExportRow>[] = [
    column.instant('Time', (row) => row.tMs),
    ...signals.map(({ name, unit }, i) => column.number<ExportRow>(`${name} (${unit})`, 3, (row) => row.values[i])),
  ]
  const samples = readings.exportRows({ signalNos: signals.map(({ no }) => no), fromMs, toMs })
  return { file: tableFile(name, columns, samples) }
}
