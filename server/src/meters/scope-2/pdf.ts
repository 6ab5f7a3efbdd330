import { formatNumber } from '@gridmast/contract/numbers.ts'
import { lacksEmission, type ScopeFigures, type ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import type { Block, Document, TableColumn } from '#platform/files/document.ts'
import { words, type Language } from './words.ts'

const number = (value: number | string | null, decimals: number): string =>
  formatNumber(value === null ? null : Number(value), { decimals })
/** Percent; what is there is never rounded to 0, nor a gap to all. */
const share = (part: number, all: number): string => {
  const percent = all > 0 ? (part / all) * 100 : null
  if (percent === null || percent === 0 || percent === 100) return number(percent, 1)
  return percent < 0.05 ? `< ${number(0.1, 1)}` : percent > 99.95 ? `> ${number(99.9, 1)}` : number(percent, 1)
}
const hoursText = (hours: number): string => number(hours, Number.isInteger(hours) ? 0 : 2)

/** g/kWh over the energy that has a factor. */
const meanFactor = ({ kwh, kwhWithoutFactor, kgCo2 }: ScopeFigures): number | null => {
  const known = Number(kwh ?? 0) - Number(kwhWithoutFactor)
  return kgCo2 === null || known <= 0 ? null : (kgCo2 * 1000) / known
}

const coveredHours = ({ all, missing, withoutFactor }: ScopeFigures['hours']) => all - missing - withoutFactor

function* coverage({ kwhWithoutFactor, hours }: ScopeFigures, w: (typeof words)['en']): Generator<Block> {
  const { all, missing, estimated, incomplete, withoutFactor } = hours
  const warning = (text: string): Block => ({ kind: 'text', text, tone: 'warning' })
  if (missing > 0) yield warning(w.missing(hoursText(missing), share(missing, all)))
  if (withoutFactor > 0) yield warning(w.withoutFactor(number(kwhWithoutFactor, 1), hoursText(withoutFactor)))
  if (estimated > 0) yield warning(w.estimated(hoursText(estimated), share(estimated, all)))
  if (incomplete > 0) yield warning(w.incomplete(hoursText(incomplete), share(incomplete, all)))
  if (missing === 0 && withoutFactor === 0) yield { kind: 'text', text: w.complete }
}

const figureColumns = (w: (typeof words)['en']): TableColumn[] =>
  [w.kwh, w.kgCo2, w.gramsPerKwh, w.read, w.estimatedColumn, w.missingColumn, w.noFactor].map((header, i) => ({
    header,
    share: i < 2 ? 1.25 : 1,
    isNumber: true,
  }))

const figureCells = (figures: ScopeFigures): string[] => {
  const { all, measured, estimated, incomplete, missing, withoutFactor } = figures.hours
  const percent = (part: number) => `${share(part, all)} %`
  return [
    number(figures.kwh, 0),
    number(figures.kgCo2, 1),
    number(meanFactor(figures), 0),
    ...[measured, estimated + incomplete, missing, withoutFactor].map(percent),
  ]
}

function* changed(report: ScopeReport, w: (typeof words)['en']): Generator<Block> {
  const { changes } = report
  if (!changes) return
  yield { kind: 'heading', text: w.changes }
  const { previous } = changes
  if (previous) {
    yield { kind: 'text', text: w.changesText(formatDateTime(Date.parse(previous.madeAt))) }
    yield { kind: 'text', text: w.change(number(previous.kgCo2, 1), number(report.total.kgCo2, 1)) }
  } else yield { kind: 'text', text: w.changesOfDeleted }
  for (const { area, hours } of changes.factorHours) yield { kind: 'text', text: w.factorHours(area, hoursText(hours)) }
  if (changes.days.length === 0) return
  const said = ({ version, kwh }: (typeof changes.days)[number]['before']) =>
    version === 0 ? w.notThere : w.dayVersion(version, number(kwh, 3))
  yield {
    kind: 'table',
    columns: [
      { header: w.meter, share: 3 },
      { header: w.day, share: 1 },
      { header: w.before, share: 2, isNumber: true },
      { header: w.after, share: 2, isNumber: true },
    ],
    rows: changes.days.map(({ meter, day, before, after }) => [meter, formatDate(day), said(before), said(after)]),
  }
  const more = changes.dayCount - changes.days.length
  if (more > 0) yield { kind: 'text', text: w.more(more) }
}

function* blocks(report: ScopeReport, w: (typeof words)['en']): Generator<Block> {
  const { total } = report
  yield {
    kind: 'title',
    text: w.title,
    under: `${report.company} · ${w.period(formatDate(report.startDate), formatDate(report.endDate))}`,
  }
  yield {
    kind: 'figures',
    figures: [
      { label: lacksEmission(total) ? w.emissionPartly : w.emission, value: number(total.kgCo2, 1), unit: w.kgCo2 },
      { label: w.consumption, value: number(total.kwh, 0), unit: w.kwh },
      { label: w.factor, value: number(meanFactor(total), 0), unit: w.gramsPerKwh },
      { label: w.covered, value: share(coveredHours(total.hours), total.hours.all), unit: '%' },
    ],
  }
  if (report.readings.simulated || report.factors.some(({ source }) => source.simulated))
    yield { kind: 'text', text: w.simulated, tone: 'warning' }
  yield* coverage(total, w)
  yield* changed(report, w)
  const table = (heading: string, header: string, rows: { word: string; figures: ScopeFigures }[]): Block[] => [
    { kind: 'heading', text: heading },
    {
      kind: 'table',
      isSummed: true,
      columns: [{ header, share: 2.6 }, ...figureColumns(w)],
      rows: [...rows.map(({ word, figures }) => [word, ...figureCells(figures)]), [w.total, ...figureCells(total)]],
    },
  ]
  yield* table(
    w.byMonth,
    w.month,
    report.months.map(({ month, ...figures }) => ({ word: `${month.slice(5)}.${month.slice(0, 4)}`, figures })),
  )
  yield { kind: 'text', text: w.coverageNote, tone: 'quiet' }
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
  yield { kind: 'heading', text: w.method }
  for (const text of w.methodText) yield { kind: 'text', text }
  yield { kind: 'heading', text: w.sources }
  yield { kind: 'text', text: w.readingsFrom(sourceLine(report.readings)) }
  for (const { area, source, published, hours, mean, lowest, highest } of report.factors) {
    const span = mean === null ? '' : ` ${w.factorSpan(number(mean, 1), number(lowest, 1), number(highest, 1))}`
    yield {
      kind: 'text',
      text: `${w.factorsFrom(area, sourceLine(source), hoursText(published), hoursText(hours))}${span}`,
    }
  }
  yield { kind: 'heading', text: w.versions }
  yield { kind: 'text', text: w.versionsText }
  yield {
    kind: 'table',
    columns: [
      { header: w.meter, share: 4 },
      ...[w.daysRead, w.daysRevised, w.version].map((header) => ({ header, share: 1.2, isNumber: true })),
    ],
    rows: report.meterRows.map(({ name, days }) => [
      name,
      ...[days.read, days.revised, days.version].map((value) => String(value)),
    ]),
  }
  yield { kind: 'text', text: w.inputs(report.inputs), tone: 'quiet' }
  yield {
    kind: 'text',
    text: w.made(formatDateTime(Date.parse(report.madeAt)), report.madeBy),
    tone: 'quiet',
  }
}

export const reportDocument = (report: ScopeReport, language: Language, fileName: string): Document => ({
  fileName,
  title: `${words[language].title}, ${report.company}`,
  language,
  madeAt: new Date(report.madeAt),
  foot: words[language].foot(report._id),
  blocks: [...blocks(report, words[language])],
})
