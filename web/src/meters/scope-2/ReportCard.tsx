import { Button } from '@mantine/core'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import {
  getScopeReport,
  lacksEmission,
  meanFactor,
  removeScopeReport,
  scopeReportFile,
  type ScopeFigures,
  type ScopeReport,
} from '@gridmast/contract/meters/scope-2.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { currentLanguage, t } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { digits, sourceWords } from '#lib/format.ts'
import { LoadError } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Column, type Columns, DataTable } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { Tag } from '#ui/Tag.tsx'
import { coveredPercent, linesOf, metersText, shareText } from './report-words.ts'
import { reportParts, type ReportPart } from './search.ts'
import classes from './scope-2.module.css'
import { MenuItem } from '#ui/Menu.tsx'

const partNames = {
  months: 'By month',
  keys: 'By CVR number',
  sites: 'By site',
  meters: 'By meter',
  changes: 'What changed',
} as const satisfies Record<ReportPart, string>

type Props = {
  reportId: string
  part: ReportPart
  onPart: (part: ReportPart) => void
  /** Absent without the right to delete it. */
  onRemoved?: (() => void) | undefined
}

export const ReportCard = ({ reportId, part, onPart, onRemoved }: Props) => {
  const language = currentLanguage()
  const read = useCall(getScopeReport, { sent: { params: { reportId } } })
  const report = read.data?.report
  const title = t('Scope 2, location-based')
  if (!report)
    return (
      <Panel title={title} label={title}>
        {read.error ? (
          <LoadError query={read} title={t('The report could not be loaded.')} />
        ) : (
          <DataTable label={title} columns={figureColumns(t('Month'))} rows={[]} rowKey={({ word }) => word} loading />
        )}
      </Panel>
    )
  const { total } = report
  const download = (format: 'xlsx' | 'csv' | 'pdf', rows?: 'meters') =>
    downloadCall(scopeReportFile, { params: { reportId }, query: { format, language, ...(rows ? { rows } : {}) } })
  const isSimulated = report.readings.simulated || report.factors.some(({ source }) => source.simulated)
  const visibleParts = reportParts.filter((one) => one !== 'changes' || (report.changes?.days.length ?? 0) > 0)
  const open = visibleParts.includes(part) ? part : visibleParts[0]
  return (
    <Panel
      title={title}
      help="scope2"
      note={`${formatDate(report.startDate)} – ${formatDate(report.endDate)}`}
      label={title}
      badge={
        <>
          <Tag>{metersText(report.meters)}</Tag>
          {isSimulated && <Tag kind="outline">{t('Simulated')}</Tag>}
          <WithoutFactor figures={total} />
          {report.since.days + report.since.factorHours > 0 && <Tag kind="warn">{t('Changed since')}</Tag>}
        </>
      }
      tools={
        <>
          {onRemoved && <RemoveReport report={report} onRemoved={onRemoved} />}
          <ExportButton onExport={download}>
            <MenuItem onClick={() => void download('xlsx', 'meters')}>{t('Download Excel by meter')}</MenuItem>
            <MenuItem onClick={() => void download('pdf')}>{t('Download PDF')}</MenuItem>
          </ExportButton>
        </>
      }
      figures={
        <>
          <Figure
            label={lacksEmission(total) ? t('Emission, known part') : t('Emission')}
            value={total.kgCo2}
            decimals={1}
            unit="kg"
          />
          <Figure label={t('Consumption')} value={total.kwh} decimals={0} unit="kWh" />
          <Figure label={t('Mean factor used')} value={meanFactor(total)} decimals={0} unit="g/kWh" />
          <Figure label={t('Time covered')} value={coveredPercent(total.hours)} decimals={1} unit="%" />
        </>
      }
      foot={[
        sourceWords(report.readings),
        ...report.factors.map(({ area, source }) => `${area}: ${sourceLine(source, t('Simulated'))}`),
      ].join(' · ')}
      footRight={t('Created {{at}} by {{who}}', { at: formatDateTime(Date.parse(report.madeAt)), who: report.madeBy })}
    >
      <Stack as="ul" gap={6} below={16}>
        {linesOf(report).map(({ text, isWarning }) => (
          <Text as="li" key={text} ink={isWarning ? 'warn' : 'ink1'}>
            {text}
          </Text>
        ))}
      </Stack>
      <div style={{ overflowX: 'auto' }}>
        <Segments
          label={t('Parts of the report')}
          value={open ?? 'months'}
          onChange={onPart}
          data={visibleParts.map((value) => ({ value, label: t(partNames[value]) }))}
        />
      </div>
      <Text as="div" above={4}>
        {open === 'changes' ? <ReportChanges report={report} /> : <Sums report={report} part={open ?? 'months'} />}
      </Text>
      <p className={classes.method}>
        {t(
          'The kWh of each hour are multiplied by the mean CO₂ emission of the grid in that hour and price area. Contracts and guarantees of origin belong to the market-based figure and are not included. Unknown values are never estimated.',
        )}
      </p>
      <p className={classes.method}>
        {t('The report stores the version of each day and each hourly factor it used. Checksum: {{hash}}', {
          hash: report.inputs.slice(0, 16),
        })}
      </p>
    </Panel>
  )
}

type SumRow = { word: string; figures: ScopeFigures }

const rowsOf = (report: ScopeReport, part: Exclude<ReportPart, 'changes'>): SumRow[] => {
  if (part === 'months')
    return report.months.map(({ month, ...figures }) => ({ word: `${month.slice(5)}.${month.slice(0, 4)}`, figures }))
  if (part === 'keys') return report.keys.map(({ key, ...figures }) => ({ word: key, figures }))
  if (part === 'sites') return report.sites.map(({ site, ...figures }) => ({ word: site || t('No address'), figures }))
  return report.meterRows.map(({ name, meteringPointId, area, ...figures }) => ({
    word: `${name} · ${meteringPointId.slice(-6)} · ${area ?? t('Unknown area')}`,
    figures,
  }))
}

const Sums = ({ report, part }: { report: ScopeReport; part: Exclude<ReportPart, 'changes'> }) => {
  const title = { months: t('Month'), keys: t('CVR'), sites: t('Site'), meters: t('Meter') }[part]
  return (
    <DataTable
      label={t(partNames[part])}
      columns={figureColumns(title)}
      rows={rowsOf(report, part)}
      rowKey={({ word }) => word}
      dense
    />
  )
}

const figureColumns = (title: string): Columns<SumRow> => {
  const share = (key: string, name: string, part: (hours: ScopeFigures['hours']) => number): Column<SumRow> =>
    column.figure(key, name, ({ figures }) => `${shareText(part(figures.hours), figures.hours.all)} %`, {
      omitWhen: ({ figures }) => part(figures.hours) === 0,
    })
  return [
    column.text('word', title, ({ word }) => word, { card: 'lead', sort: true }),
    column.number('kgCo2', t('Emission (kg CO₂)'), ({ figures }) => figures.kgCo2, {
      card: 'corner',
      decimals: 1,
      sort: true,
    }),
    column.number('kwh', t('Consumption (kWh)'), ({ figures }) => figures.kwh, { decimals: 0, sort: true }),
    column.number('factor', 'g/kWh', ({ figures }) => meanFactor(figures), { decimals: 0 }),
    share('measured', t('Measured'), ({ measured }) => measured),
    share('estimated', t('Estimated'), ({ estimated, incomplete }) => estimated + incomplete),
    share('missing', t('Missing'), ({ missing }) => missing),
    share('withoutFactor', t('No factor'), ({ withoutFactor }) => withoutFactor),
  ]
}

type ChangedDay = NonNullable<ScopeReport['changes']>['days'][number]

const ReportChanges = ({ report }: { report: ScopeReport }) => {
  const versionText = ({ version, kwh }: ChangedDay['before']) =>
    version === 0 ? t('No readings yet') : `v${version}: ${digits.meterKwh(kwh)} kWh`
  const columns: Columns<ChangedDay> = [
    column.text('meter', t('Meter'), ({ meter }) => meter, { card: 'lead', sort: true }),
    column.date('day', t('Day'), ({ day }) => day, { card: 'corner', sort: true }),
    column.figure('before', t('Previous report'), ({ before }) => versionText(before)),
    column.figure('after', t('This report'), ({ after }) => versionText(after)),
  ]
  return (
    <DataTable
      label={t('What changed')}
      columns={columns}
      rows={report.changes?.days ?? []}
      rowKey={({ meter, day }) => `${meter} ${day}`}
      dense
    />
  )
}

type RemoveProps = { report: ScopeReport; onRemoved: () => void }

const RemoveReport = ({ report, onRemoved }: RemoveProps) => {
  const [remove, removeDialog] = useConfirm({
    call: removeScopeReport,
    sent: () => ({ params: { reportId: report._id } }),
    title: t('Delete this report?'),
    text: t(
      'The report of {{period}}, created {{at}}, and its emission factors are deleted. A new report for the same days uses the current readings, which are kept.',
      {
        period: `${formatDate(report.startDate)} – ${formatDate(report.endDate)}`,
        at: formatDateTime(Date.parse(report.madeAt)),
      },
    ),
    confirm: t('Yes'),
    cancel: t('No'),
    danger: true,
    onDone: onRemoved,
  })
  return (
    <>
      <Button variant="default" size="xs" c="var(--gm-down)" onClick={() => remove()}>
        {t('Delete report')}
      </Button>
      {removeDialog}
    </>
  )
}

type FiguresProps = { figures: ScopeFigures }

/** Energy that is in the consumption and not in the emission. */
export const WithoutFactor = ({ figures: { kwhWithoutFactor } }: FiguresProps) => {
  const kwh = Number(kwhWithoutFactor)
  if (kwh === 0) return null
  return (
    <Tag kind="warn">
      {t('Without factor: {{kwh}} kWh', { kwh: formatNumber(kwhWithoutFactor, { decimals: kwh < 1 ? 3 : 0 }) })}
    </Tag>
  )
}

/** Time whose energy is in neither sum. */
export const NotRead = ({ figures: { hours } }: FiguresProps) => {
  if (hours.missing === 0) return null
  return <Tag kind="warn">{t('Not read: {{share}} %', { share: shareText(hours.missing, hours.all) })}</Tag>
}
