import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { FileFormat } from '@gridmast/contract/series.ts'
import type { SimulatedSum } from '@gridmast/contract/source.ts'
import { IconDots, IconDownload, IconPhotoDown, IconTable } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { simulatedWords } from '#lib/source-words.ts'
import { usePhone } from '#lib/phone.ts'
import { ErrorBanner } from '#ui/Banner.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Chart } from './Chart.tsx'
import classes from './Chart.module.css'
import { ChartSkeleton } from './ChartSkeleton.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type LiveSource, followFeed } from './live-model.ts'
import { type ChartModel } from './model.ts'
import { usePalette } from './palette.ts'
import { savePicture } from './png.ts'
import type { ChartReading } from './reading.ts'

type Props = {
  title: string
  /** The title as it is shown, where it leads somewhere. */
  heading?: ReactNode
  note?: string
  badge?: ReactNode
  /** What is shown was not measured: said beside the title and in the picture. */
  simulated?: SimulatedSum | undefined
  /** Switches and words left of the chart's own tools. */
  controls?: ReactNode
  /** Choices of the menu of tools on a phone, where `controls` have no room for them. */
  choices?: ReactNode
  figures?: ReactNode
  legend?: ReactNode
  foot?: ReactNode
  footRight?: ReactNode
  height: number
  /** On a phone; a share of `height` unless it is given. */
  phoneHeight?: number
  model: ChartModel | null
  live?: LiveSource
  reading: ChartReading
  /** Why there is nothing, and what to do. */
  empty: ReactNode
  /** What could not be loaded, as a sentence. */
  failed: string
  onDownload?: (format: FileFormat) => void
  /** Said above the chart, such as its age. */
  banner?: ReactNode
  /** In a narrow card the tools stand in one menu. */
  compact?: boolean
}

/** A failed first read leaves the card as high as the chart would have been. */
const bannerHeight = 42

/** Of its height on a wide screen: a phone shows two cards at a time. */
const phoneShare = 0.66

/** A card with one chart and all that belongs to it: legend, table view, picture, files, last report, and its waiting, empty and failed states. */
export const ChartPanel = (props: Props) => {
  const {
    title,
    note,
    badge,
    simulated,
    controls,
    choices,
    figures,
    legend,
    foot,
    footRight,
    banner,
    model,
    live,
    reading,
    empty,
    failed,
  } = props
  const { onDownload } = props
  const palette = usePalette()
  const holder = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  const phone = usePhone()
  const height = !phone
    ? props.height
    : (props.phoneHeight ?? (model?.bare ? props.height : Math.round(props.height * phoneShare)))
  /** The head of such a card has room for its name alone. */
  const isSmall = model?.bare ?? false
  // A badge that comes with the data would wrap the head of a narrow card and push the chart down.
  const isInFoot = isSmall || phone
  const label = note ? `${title} ${note}` : title

  const toggleTable = () => setAsTable(!asTable)
  const picture = () => {
    const canvas = holder.current?.querySelector('canvas')
    const foot = ['Gridmast', simulated && simulatedWords(simulated), t('Times in CET/CEST')]
      .filter(Boolean)
      .join(' · ')
    if (canvas) savePicture(canvas, palette, label, foot, title)
  }
  const tableWords = asTable ? t('Show as chart') : t('Show as table')
  const file = (words: string, onClick: () => void) => (
    <Menu.Item leftSection={<IconDownload />} onClick={onClick}>
      {words}
    </Menu.Item>
  )
  const downloads = onDownload && (
    <>
      {file(t('Download Excel'), () => onDownload('xlsx'))}
      {file(t('Download CSV'), () => onDownload('csv'))}
    </>
  )
  const tools =
    phone || props.compact ? (
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('Tools of {{title}}', { title })}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {phone && choices}
          <Menu.Item leftSection={<IconTable />} onClick={toggleTable}>
            {tableWords}
          </Menu.Item>
          <Menu.Item leftSection={<IconPhotoDown />} onClick={picture} disabled={asTable}>
            {t('Save picture')}
          </Menu.Item>
          {downloads}
        </Menu.Dropdown>
      </Menu>
    ) : (
      <>
        <Tooltip label={tableWords}>
          <ActionIcon aria-label={tableWords} aria-pressed={asTable} onClick={toggleTable}>
            <IconTable size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('Save picture')}>
          <ActionIcon aria-label={t('Save picture')} onClick={picture} disabled={asTable}>
            <IconPhotoDown size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
        {downloads && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Tooltip label={t('Download')}>
                <ActionIcon aria-label={t('Download')}>
                  <IconDownload size={16} stroke={1.8} />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>{downloads}</Menu.Dropdown>
          </Menu>
        )}
      </>
    )

  // The line of the source says it already.
  const isNamed = [foot, footRight].some((text) => typeof text === 'string' && text.includes(t('Simulated')))
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
          {controls}
          {tools}
        </>
      }
      figures={
        (figures || legend) && (
          <>
            {figures}
            {legend && <div className={classes.legendPlace}>{legend}</div>}
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
      {reading.error && (
        <ErrorBanner title={failed} onRetry={reading.retry} retrying={reading.retrying}>
          {reading.error.message}
        </ErrorBanner>
      )}
      {banner}
      {model && asTable && <ChartTable model={followFeed(model, live)} height={height} />}
      {model && !asTable && (
        <div ref={holder} style={{ display: 'contents' }}>
          <Chart label={label} model={model} height={height} empty={empty} {...(live ? { live } : {})} />
        </div>
      )}
      {!model && reading.pending && <ChartSkeleton height={height} />}
      {!model && !reading.pending && <div style={{ minHeight: height - bannerHeight, flex: 1 }} />}
    </Panel>
  )
}

type Key = { name: string; color: string; line?: boolean; dashed?: boolean }

export const Legend = ({ keys }: { keys: Key[] }) => (
  <div className={classes.legend}>
    {keys.map(({ name, color, line, dashed }) => (
      <span key={name}>
        <i
          className={line ? classes.legendLine : classes.swatch}
          data-dashed={dashed || undefined}
          style={line ? { borderColor: color } : { background: color }}
        />
        {name}
      </span>
    ))}
  </div>
)
