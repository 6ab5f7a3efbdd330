import type { Sample } from '#connectors/energi-data-service/parse.ts'
import type { App } from '#context.ts'
import type { Run } from '#readings/writer.ts'

const runsOf = (signalNo: number, samples: readonly Sample[], stepMs: number): Run[] => {
  const runs: { signalNo: number; t0Ms: number; dtMs: number; values: number[] }[] = []
  for (const { atMs, value } of samples) {
    if (value === null) continue
    const last = runs.at(-1)
    if (last && last.t0Ms + last.values.length * stepMs === atMs) last.values.push(value)
    else runs.push({ signalNo, t0Ms: atMs, dtMs: stepMs, values: [value] })
  }
  return runs
}

export const saveSamples = async (
  app: Pick<App, 'records' | 'readings'>,
  series: { kind: 'co2' | 'co2Prognosis' | 'frequency'; unit: string; source: string; dataset: string },
  samples: readonly Sample[],
  stepMs: number,
): Promise<number> => {
  const measured = samples.filter((sample) => sample.value !== null)
  for (const [area, ofArea] of Map.groupBy(measured, (sample) => sample.area)) {
    const { no } = await app.records.system(async (tx) => {
      await tx
        .insertInto('public_signal')
        .values({ area, ...series })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return tx
        .selectFrom('public_signal')
        .select('no')
        .where('area', '=', area)
        .where('kind', '=', series.kind)
        .executeTakeFirstOrThrow()
    })
    const inOrder = ofArea.toSorted((a, b) => a.atMs - b.atMs)
    await app.readings.insert(runsOf(no, inOrder, stepMs))
    const newest = new Date((inOrder.at(-1)?.atMs ?? 0) + stepMs)
    await app.records.system((tx) =>
      tx
        .updateTable('public_signal')
        .set({ last_reported_at: newest })
        .where('no', '=', no)
        .where((where) => where.or([where('last_reported_at', 'is', null), where('last_reported_at', '<', newest)]))
        .execute(),
    )
  }
  return measured.length
}
