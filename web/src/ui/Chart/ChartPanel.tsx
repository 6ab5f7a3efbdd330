import type { PublishedSource, SimulatedSum } from '@gridmast/contract/source.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import type { FileExport } from '#lib/download.ts'
import { simulatedWords, sourceWords } from '#lib/format.ts'
import { t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { usePhone } from '#lib/phone.ts'
import { Figure } from '#ui/Figure.tsx'
import { StaleBanner, type QueryState, LoadError, ChartSkeleton } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { ageText, LastReported, Tag } from '#ui/Tag.tsx'
import { Chart } from './Chart.tsx'
import classes from './Chart.module.css'
import { ChartTools } from './ChartTools.tsx'
import { type Feed, type LiveSource, followFeed, useNewest } from './feed.ts'
import type { ChartModel, PaletteIndex } from './model.ts'
import type { HelpName } from '#ui/Help.tsx'
import { usePalette } from './palette.ts'

const ChartTable = part(async () => (await import('./ChartTable.tsx')).ChartTable)
const FullScreen = part(async () => (await withWords(import('#ui/Chart/views.tsx'), 'charts')).FullScreen)

type LegendKey = {
  name: string
  colour: PaletteIndex | 'ink2'
  line?: boolean | undefined
  dashed?: boolean
  alpha?: '47' | '66'
  /** A switch that shows or hides it. */
  shown?: { on: boolean; toggle: () => void }
}

export type LegendKeys = readonly (LegendKey | false | undefined)[]

export const Legend = ({ keys }: { keys: LegendKeys }) => {
  const palette = usePalette()
  return (
    <div className={classes.legend}>
      {keys.map((key) => {
        if (!key) return null
        const { name, colour, line, dashed, alpha = '', shown } = key
        const color = (colour === 'ink2' ? palette.ink2 : palette.data(colour)) + alpha
        const swatch = (
          <i
            className={line ? classes.legendLine : classes.swatch}
            data-dashed={dashed || undefined}
            style={line ? { borderColor: color } : { background: color }}
          />
        )
        if (shown)
          return (
            <button
              key={name}
              type="button"
              className={classes.legendSwitch}
              aria-pressed={shown.on}
              onClick={shown.toggle}
            >
              {swatch}
              {name}
            </button>
          )
        return (
          <span key={name}>
            {swatch}
            {name}
          </span>
        )
      })}
    </div>
  )
}

type FigureProps = { feed: Feed; label?: string; unit: string; decimals: number; size?: 'l' | 'm'; spare?: boolean }

export const LiveFigure = ({ feed, ...figure }: FigureProps) => <Figure value={useNewest(feed)?.value} {...figure} />

type LiveReportedProps = Omit<Reported, 'atMs' | 'feed'> & { feed: Feed; at: string | null | undefined }

const LiveReported = ({ feed, at, staleAfterMs, brief = false }: LiveReportedProps) => {
  const newest = useNewest(feed)?.ms ?? 0
  const answered = at ? Date.parse(at) : 0
  const latest = Math.max(newest, answered)
  return <LastReported at={latest > 0 ? latest : null} staleAfterMs={staleAfterMs} brief={brief} />
}

type Answer = object & { simulated?: SimulatedSum; lastReported?: string | null }
type Query = QueryState & Pick<UseQueryResult<Answer>, 'data'>

type Reported = {
  /** Default: `lastReported` of the answer. */
  atMs?: number | null
  feed?: Feed
  staleAfterMs?: number | undefined
  brief?: boolean
}

type Props = {
  title: string
  heading?: ReactNode
  note?: string | undefined
  badge?: ReactNode
  /** On a phone an item of the menu, for want of space. */
  help?: HelpName
  query?: Query | readonly Query[]
  model: ChartModel | null
  live?: LiveSource | undefined
  failed?: string
  empty?: string
  hint?: string | false | undefined
  /** Default: `simulated` of the answer or its source. */
  simulated?: SimulatedSum | undefined
  source?: PublishedSource | undefined
  reported?: Reported
  staleAge?: number | null
  banner?: ReactNode
  controls?: ReactNode
  /** The header has no space for the badge of simulated data. */
  simulatedInFoot?: boolean
  choices?: ReactNode
  figures?: ReactNode
  legend?: LegendKeys | false | undefined
  scale?: ReactNode
  foot?: ReactNode
  footRight?: ReactNode
  height: number
  /** Default: a share of `height`. */
  phoneHeight?: number
  onDownload?: FileExport
  /** A menu of files in the place of `onDownload`. */
  exports?: ReactNode
  /** Content of the popover of a mark. */
  renderMark?: (key: string) => ReactNode
  /** Items of the menu of tools. */
  actions?: ReactNode
  compact?: boolean
}

/** With it, a failed card is as high as with the chart. */
const bannerHeight = 42

/** Of the height on a wide screen, so that a phone shows two cards at a time. */
const phoneShare = 0.66

export const ChartPanel = (props: Props) => {
  const { title, note, badge, model, live, reported, staleAge = null, source, figures, legend, scale } = props
  const palette = usePalette()
  const holder = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  const phone = usePhone()
  const queries = props.query ? [props.query].flat() : []
  const data = queries.find((query) => query.data)?.data
  const simulated = props.simulated ?? source?.simulated ?? data?.simulated
  /** The header of a bare card has space for its title only. */
  const isSmall = model?.bare ?? false
  // A badge that arrives with the data would wrap a narrow header and shift the chart.
  const isInFoot = isSmall || phone || (props.simulatedInFoot ?? false)
  const height = !phone
    ? props.height
    : (props.phoneHeight ?? (isSmall ? props.height : Math.round(props.height * phoneShare)))
  const label = note ? `${title} ${note}` : title
  const foot = reported ? <ReportedLine answered={data?.lastReported} {...reported} /> : props.foot
  const sourceText = source && sourceWords(source)
  const rightText = typeof props.footRight === 'string' ? props.footRight : ''
  const footRight = sourceText ? [rightText, sourceText].filter(Boolean).join(' · ') : props.footRight
  // The source line may contain it already.
  const isNamed = [foot, footRight].some((text) => typeof text === 'string' && text.includes(t('Simulated')))

  const [full, setFull] = useState(false)
  const picture = async () => {
    const { savePicture } = await import('./save-picture.ts')
    const canvas = holder.current?.querySelector('canvas')
    const words = ['Gridmast', simulated && simulatedWords(simulated), t('Times in CET/CEST')]
    if (canvas) savePicture(canvas, palette, label, words.filter(Boolean).join(' · '), title)
  }

  return (
    <Panel
      label={label}
      full={full}
      title={props.heading || title}
      note={note}
      help={phone ? undefined : props.help}
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
            help={phone ? props.help : undefined}
            asTable={asTable}
            onTable={() => setAsTable(!asTable)}
            onPicture={() => void picture()}
            full={full}
            onFull={setFull}
            onDownload={props.onDownload}
            exports={props.exports}
            choices={phone && props.choices}
            actions={props.actions}
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
      {full && (
        <Suspense>
          <FullScreen onLeave={() => setFull(false)} />
        </Suspense>
      )}
      {props.failed && <LoadError query={queries} title={props.failed} />}
      {props.banner}
      {!props.banner && staleAge !== null && (
        <StaleBanner title={t('Stale.')}>{t('Last report {{age}}.', { age: ageText(staleAge) })}</StaleBanner>
      )}
      {model && asTable && (
        <Suspense fallback={<ChartSkeleton height={height} />}>
          <ChartTable model={followFeed(model, live)} height={height} />
        </Suspense>
      )}
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
            renderMark={props.renderMark}
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
