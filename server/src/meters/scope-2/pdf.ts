import { formatNumber } from '@gridmast/contract/numbers.ts'
import { lacksEmission, type ScopeFigures, type ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import * as block from '#platform/files/document.ts'
import type { PrintedColumn, Block, Document } from '#platform/files/document.ts'
import { words } from './words.ts'

const number = (value: number | string | null, decimals: number): string =>
  formatNumber(value === null ? null : Number(value), { decimals })
/** Percent; a part is never rounded to 0, nor an incomplete share to 100. */
const share = (part: number, all: number): string => {
  const percent = all > 0 ? (part / all) * 100 : null
  if (percent === null || percent === 0 || percent === 100) return number(percent, 1)
  return percent < 0.05 ? `< ${number(0.1, 1)}` : percent > 99.95 ? `> ${number(99.9, 1)}` : number(percent, 1)
}
const hoursText = (hours: number): string => number(hours, Number.isInteger(hours) ? 0 : 2)

/** g/kWh over the energy that has a factor. */
const meanFactor = ({ kwh, kwhWithoutFactor, kgCo2 }: ScopeFigures): number | null => {
  const kwhWithFactor = Number(kwh ?? 0) - Number(kwhWithoutFactor)
  return kgCo2 === null || kwhWithFactor <= 0 ? null : (kgCo2 * 1000) / kwhWithFactor
}

const coveredHours = ({ all, missing, withoutFactor }: ScopeFigures['hours']) => all - missing - withoutFactor

type Words = (typeof words)['en']

function* coverage({ kwhWithoutFactor, hours }: ScopeFigures, w: Words): Generator<Block> {
  const { all, missing, estimated, incomplete, withoutFactor } = hours
  if (missing > 0) yield block.warning(w.missing(hoursText(missing), share(missing, all)))
  if (withoutFactor > 0) yield block.warning(w.withoutFactor(number(kwhWithoutFactor, 1), hoursText(withoutFactor)))
  if (estimated > 0) yield block.warning(w.estimated(hoursText(estimated), share(estimated, all)))
  if (incomplete > 0) yield block.warning(w.incomplete(hoursText(incomplete), share(incomplete, all)))
  if (missing === 0 && withoutFactor === 0) yield block.text(w.complete)
}

type FigureRow = { word: string; figures: ScopeFigures }

const figureColumns = (w: Words): PrintedColumn<FigureRow>[] => {
  const percent = (header: string, partOf: (hours: ScopeFigures['hours']) => number) =>
    block.number<FigureRow>(header, 1, ({ figures: { hours } }) => `${share(partOf(hours), hours.all)} %`)
  return [
    block.number(w.kwh, 1.25, ({ figures }) => number(figures.kwh, 0)),
    block.number(w.kgCo2, 1.25, ({ figures }) => number(figures.kgCo2, 1)),
    block.number(w.gramsPerKwh, 1, ({ figures }) => number(meanFactor(figures), 0)),
    percent(w.read, ({ measured }) => measured),
    percent(w.estimatedColumn, ({ estimated, incomplete }) => estimated + incomplete),
    percent(w.missingColumn, ({ missing }) => missing),
    percent(w.noFactor, ({ withoutFactor }) => withoutFactor),
  ]
}

type DayChange = NonNullable<ScopeReport['changes']>['days'][number]

function* changed(report: ScopeReport, w: Words): Generator<Block> {
  const { changes } = report
  if (!changes) return
  yield block.heading(w.changes)
  const { previous } = changes
  if (previous) {
    yield block.text(w.changesText(formatDateTime(Date.parse(previous.madeAt))))
    yield block.text(w.change(number(previous.kgCo2, 1), number(report.total.kgCo2, 1)))
  } else yield block.text(w.changesOfDeleted)
  for (const { area, hours } of changes.factorHours) yield block.text(w.factorHours(area, hoursText(hours)))
  if (changes.days.length === 0) return
  const versionText = ({ version, kwh }: DayChange['before']) =>
    version === 0 ? w.notThere : w.dayVersion(version, number(kwh, 3))
  yield block.table(changes.days, [
    block.column(w.meter, 3, ({ meter }) => meter),
    block.column(w.day, 1, ({ day }) => formatDate(day)),
    block.number(w.before, 2, ({ before }) => versionText(before)),
    block.number(w.after, 2, ({ after }) => versionText(after)),
  ])
  const more = changes.dayCount - changes.days.length
  if (more > 0) yield block.text(w.more(more))
}

function* blocks(report: ScopeReport, w: Words): Generator<Block> {
  const { total } = report
  yield block.title(
    w.title,
    `${report.company} · ${w.period(formatDate(report.startDate), formatDate(report.endDate))}`,
  )
  yield block.figures(
    [lacksEmission(total) ? w.emissionPartly : w.emission, number(total.kgCo2, 1), w.kgCo2],
    [w.consumption, number(total.kwh, 0), w.kwh],
    [w.factor, number(meanFactor(total), 0), w.gramsPerKwh],
    [w.covered, share(coveredHours(total.hours), total.hours.all), '%'],
  )
  if (report.readings.simulated || report.factors.some(({ source }) => source.simulated))
    yield block.warning(w.simulated)
  yield* coverage(total, w)
  yield* changed(report, w)
  const table = (heading: string, header: string, rows: FigureRow[]): Block[] => [
    block.heading(heading),
    block.table(rows, [block.column(header, 2.6, ({ word }) => word), ...figureColumns(w)], {
      word: w.total,
      figures: total,
    }),
  ]
  yield* table(
    w.byMonth,
    w.month,
    report.months.map(({ month, ...figures }) => ({ word: `${month.slice(5)}.${month.slice(0, 4)}`, figures })),
  )
  yield block.quiet(w.coverageNote)
  yield* table(
    w.byKey,
    w.key,
    report.keys.map(({ key, ...figures }) => ({ word: key, figures })),
  )
  yield* table(
    w.bySite,
    w.site,
    report.sites.map(({ site, ...figures }) => ({ word: site || w.noSite, figures })),
  )
  yield* table(
    w.byMeter,
    w.meter,
    report.meterRows.map(({ name, meteringPointId, area, ...figures }) => ({
      word: `${name}\n${meteringPointId} · ${area ?? w.unknown}`,
      figures,
    })),
  )
  yield block.heading(w.method)
  yield* w.methodText.map(block.text)
  yield block.heading(w.sources)
  yield block.text(w.readingsFrom(sourceLine(report.readings)))
  for (const { area, source, published, hours, mean, lowest, highest } of report.factors) {
    const span = mean === null ? '' : ` ${w.factorSpan(number(mean, 1), number(lowest, 1), number(highest, 1))}`
    yield block.text(`${w.factorsFrom(area, sourceLine(source), hoursText(published), hoursText(hours))}${span}`)
  }
  yield block.heading(w.versions)
  yield block.text(w.versionsText)
  yield block.table(report.meterRows, [
    block.column(w.meter, 4, ({ name }) => name),
    block.number(w.daysRead, 1.2, ({ days }) => String(days.read)),
    block.number(w.daysRevised, 1.2, ({ days }) => String(days.revised)),
    block.number(w.version, 1.2, ({ days }) => String(days.version)),
  ])
  yield block.quiet(w.inputs(report.inputs))
  yield block.quiet(w.made(formatDateTime(Date.parse(report.madeAt)), report.madeBy))
}

export const reportDocument = (report: ScopeReport, language: Language, fileName: string): Document => ({
  fileName,
  title: `${words[language].title}, ${report.company}`,
  language,
  madeAt: new Date(report.madeAt),
  foot: words[language].foot(report._id),
  blocks: [...blocks(report, words[language])],
})
