import type { FileFormat } from '@gridmast/contract/series.ts'
import type { PublishedSource, SimulatedSum } from '@gridmast/contract/source.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { simulatedWords, sourceWords } from '#lib/source-words.ts'
import { StaleBanner } from '#ui/Banner.tsx'
import { ageText, LastReported } from '#ui/LastReported.tsx'
import { type QueryState, LoadError } from '#ui/LoadError.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Chart } from './Chart.tsx'
import classes from './Chart.module.css'
import { ChartSkeleton } from './ChartSkeleton.tsx'
import { ChartTable } from './ChartTable.tsx'
import { ChartTools } from './ChartTools.tsx'
import type { Feed } from './feed.ts'
import { Legend, type LegendKeys } from './Legend.tsx'
import { type LiveSource, followFeed } from './live-model.ts'
import { LiveReported } from './LiveParts.tsx'
import type { ChartModel } from './model.ts'
import { usePalette } from './palette.ts'
import { savePicture } from './png.ts'

/** The parts of an answer that the card shows itself. */
type Answer = object & { simulated?: SimulatedSum; lastReported?: string | null }
type Query = QueryState & Pick<UseQueryResult<Answer>, 'data'>

type Reported = {
  /** Where it differs from `lastReported` of the answer. */
  atMs?: number | null
  feed?: Feed
  staleAfterMs?: number | undefined
  brief?: boolean
}

type Props = {
  title: string
  /** The title as a link. */
  heading?: ReactNode
  note?: string | undefined
  badge?: ReactNode
  /** Left out where the values are there from the start. */
  query?: Query | readonly Query[]
  /** Null while the query loads and after it failed. */
  model: ChartModel | null
  live?: LiveSource | undefined
  /** What could not be loaded, as a sentence; left out where the screen shows the error. */
  failed?: string
  /** Why there is nothing, and what to do. */
  empty?: string
  hint?: string | false | undefined
  /** Where it differs from `simulated` of the answer or its source. */
  simulated?: SimulatedSum | undefined
  source?: PublishedSource | undefined
  /** The last-reported line, in place of `foot`. */
  reported?: Reported
  /** Age of the last report once it is too old. */
  staleAge?: number | null
  banner?: ReactNode
  controls?: ReactNode
  /** Entries of the menu on a phone for controls without room there. */
  choices?: ReactNode
  figures?: ReactNode
  legend?: LegendKeys | false | undefined
  scale?: ReactNode
  foot?: ReactNode
  footRight?: ReactNode
  height: number
  /** On a phone; a share of `height` unless it is given. */
  phoneHeight?: number
  onDownload?: (format: FileFormat) => unknown
  /** The tools are one menu, as on a phone. */
  compact?: boolean
}

/** A failed first read leaves the card as high as with the chart. */
const bannerHeight = 42

/** Share of the height on a wide screen: a phone shows two cards at a time. */
const phoneShare = 0.66

/** A card with one chart: legend, table view, picture, files, last report, source, and its loading, empty and failed states. */
export const ChartPanel = (props: Props) => {
  const { title, note, badge, model, live, reported, staleAge = null, source, figures, legend, scale } = props
  const palette = usePalette()
  const holder = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  const phone = usePhone()
  const queries = props.query ? [props.query].flat() : []
  const data = queries.find((query) => query.data)?.data
  const simulated = props.simulated ?? source?.simulated ?? data?.simulated
  /** The head of a bare card has room for its name alone. */
  const isSmall = model?.bare ?? false
  // A badge that arrives with the data would wrap the head of a narrow card and push the chart down.
  const isInFoot = isSmall || phone
  const height = !phone
    ? props.height
    : (props.phoneHeight ?? (isSmall ? props.height : Math.round(props.height * phoneShare)))
  const label = note ? `${title} ${note}` : title
  const foot = reported ? <ReportedLine answered={data?.lastReported} {...reported} /> : props.foot
  const footRight = source ? [props.footRight, sourceWords(source)].filter(Boolean).join(' · ') : props.footRight
  // The line of the source states it already.
  const isNamed = [foot, footRight].some((text) => typeof text === 'string' && text.includes(t('Simulated')))

  const picture = () => {
    const canvas = holder.current?.querySelector('canvas')
    const words = ['Gridmast', simulated && simulatedWords(simulated), t('Times in CET/CEST')]
    if (canvas) savePicture(canvas, palette, label, words.filter(Boolean).join(' · '), title)
  }

  return (
    <Panel
      label={label}
      title={props.heading || title}
      note={note}
      badge={
        (badge || (simulated && !isInFoot)) && (
          <>
            {badge}
            {simulated && !isInFoot && <Tag kind="outline">{simulatedWords(simulated)}</Tag>}
          </>
        )
      }
      tools={
        <>
          {props.controls}
          <ChartTools
            title={title}
            inMenu={phone || (props.compact ?? false)}
            asTable={asTable}
            onTable={() => setAsTable(!asTable)}
            onPicture={picture}
            onDownload={props.onDownload}
            choices={phone && props.choices}
          />
        </>
      }
      figures={
        (figures || legend || scale) && (
          <>
            {figures}
            {(legend || scale) && (
              <div className={classes.legendPlace}>{legend ? <Legend keys={legend} /> : scale}</div>
            )}
          </>
        )
      }
      foot={foot}
      footRight={
        simulated && isInFoot && (isSmall || !isNamed) ? (
          <>
            {simulatedWords(simulated)}
            {!isSmall && footRight && <> · {footRight}</>}
          </>
        ) : (
          footRight
        )
      }
    >
      {props.failed && <LoadError query={queries} title={props.failed} />}
      {props.banner}
      {!props.banner && staleAge !== null && (
        <StaleBanner title={t('Stale.')}>{t('Last report {{age}}.', { age: ageText(staleAge) })}</StaleBanner>
      )}
      {model && asTable && <ChartTable model={followFeed(model, live)} height={height} />}
      {model && !asTable && (
        <div ref={holder} style={{ display: 'contents' }}>
          <Chart
            label={label}
            model={model}
            height={height}
            empty={
              props.empty && (
                <>
                  <b>{props.empty}</b>
                  {props.hint && <span>{props.hint}</span>}
                </>
              )
            }
            {...(live ? { live } : {})}
          />
        </div>
      )}
      {!model && queries.some(({ isPending }) => isPending) && <ChartSkeleton height={height} />}
      {!model && !queries.some(({ isPending }) => isPending) && (
        <div style={{ minHeight: height - bannerHeight, flex: 1 }} />
      )}
    </Panel>
  )
}

type ReportedProps = Reported & { answered: string | null | undefined }

const ReportedLine = ({ answered, atMs, feed, ...line }: ReportedProps) =>
  feed ? (
    <LiveReported feed={feed} at={answered} {...line} />
  ) : (
    <LastReported at={atMs === undefined ? (answered ? Date.parse(answered) : null) : atMs} {...line} />
  )
