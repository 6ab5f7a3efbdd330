import * as contract from '@gridmast/contract/charging/charging-sites.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { dayBounds, type LocalDate, today } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { readingsFile } from '#readings/file.ts'
import type { Readings } from '#readings/readings.ts'
import { siteSignals } from './site-power.ts'
import { foldCurves } from './site-curves.ts'
import { getSite } from './sites.ts'

type Shown = { no: number | undefined; name: string; kind: 'line' | 'step' }
type One = { chargerId: string; connectorId: number }

const signalsOf = (tx: Tx, customerId: string, siteId: string) =>
  tx
    .selectFrom('charger_signal as s')
    .innerJoin('charger as c', (join) =>
      join.onRef('c.customer_id', '=', 's.customer_id').onRef('c.charger_id', '=', 's.charger_id'),
    )
    .select(['s.no', 's.kind', 's.charger_id', 's.evse_no', 'c.name', 'c.simulated'])
    .where('s.customer_id', '=', customerId)
    .where('c.site_id', '=', siteId)
    .where('s.evse_no', '>', 0)
    .where('s.kind', 'in', ['power', 'allowed'])
    .orderBy('c.position')
    .orderBy('c.charger_id')
    .orderBy('s.evse_no')
    .execute()

type Signals = Awaited<ReturnType<typeof signalsOf>>

const ofOne = (signals: Signals, { chargerId, connectorId }: One): Shown[] => {
  const of = signals.filter((one) => one.charger_id === chargerId && one.evse_no === connectorId)
  if (of.length === 0) throw notFound()
  const no = (kind: string) => of.find((one) => one.kind === kind)?.no
  return [
    { no: no('allowed'), name: 'Allowed', kind: 'step' },
    { no: no('power'), name: 'Power', kind: 'line' },
  ]
}

const whole: Record<'limit' | 'total' | 'held', Omit<Shown, 'no'>> = {
  limit: { name: 'Limit', kind: 'step' },
  total: { name: 'Total', kind: 'line' },
  held: { name: 'Reserved', kind: 'step' },
}

const kw = (y: readonly (number | null)[]) => y.map((watt) => (watt === null ? null : watt / 1000))

const readCurve = async (readings: Readings, { no, name, kind }: Shown, date: LocalDate) => {
  const found =
    no === undefined
      ? { x: [], y: [] }
      : await readings.window({ signalNo: no, ...dayBounds(date), maxPoints: limits.defaultPoints })
  return { name, unit: 'kW', kind, x: found.x, y: kw(found.y) }
}

export const siteChart = route(contract.chargingSiteChart, async ({ app, own, nowMs, params, query }) => {
  const { date = today(nowMs), chargerId, connectorId = 1, format } = query
  const { site, nos, signals } = await own(async (tx, customerId) => ({
    site: await getSite(tx, customerId, params.id),
    nos: await siteSignals(tx, customerId, params.id),
    signals: await signalsOf(tx, customerId, params.id),
  }))
  const simulated = signals.some((one) => one.simulated)
  const powers = signals.filter(({ kind }) => kind === 'power')
  const shown: Shown[] = chargerId
    ? ofOne(signals, { chargerId, connectorId })
    : [
        { ...whole.limit, no: nos.limit },
        { ...whole.total, no: nos.total },
        { ...whole.held, no: nos.held },
        ...powers.map(({ no, name, evse_no }) => ({ no, name: `${name} · ${evse_no}`, kind: 'line' as const })),
      ]
  if (format) {
    const known = shown.flatMap(({ no, name }) => (no === undefined ? [] : [{ no, name, unit: 'W', simulated }]))
    return readingsFile(app.readings, { fileName: `Site ${site.name}`, signals: known, ...dayBounds(date) })
  }
  const curves = await Promise.all(shown.map((one) => readCurve(app.readings, one, date)))
  if (chargerId) return { chart: curves.filter(({ x }) => x.length > 0), simulated }
  const [limit, total, held, ...each] = curves
  const always = [limit, total, ...(held && held.x.length > 0 ? [held] : [])].flatMap((one) => one ?? [])
  const drawn = each.filter(({ x }) => x.length > 0)
  return { chart: [...always, ...foldCurves(drawn, limits.seriesPerGraph - always.length, dayBounds(date))], simulated }
})
