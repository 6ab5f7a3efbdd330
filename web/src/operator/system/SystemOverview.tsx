import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { formatTime } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { nameOf, type Source } from './sources.ts'
import { SourcesTable } from './SourcesTable.tsx'
import { StatusFigures } from './StatusFigures.tsx'

/** The reason in words first, its technical part in brackets. */
const partsOf = (detail: string): [words: string, technical: string] => {
  const at = detail.indexOf(' (')
  return at < 0 ? [detail, ''] : [detail.slice(0, at), detail.slice(at, at + 120)]
}

/** Failed sources, one banner per reason. */
export const FailedSources = ({ sources }: { sources: readonly Source[] }) => {
  const now = useNow(10_000)
  const reasons = Map.groupBy(
    sources.filter(({ detail }) => detail !== null),
    ({ detail }) => detail ?? '',
  )
  if (reasons.size === 0) return null
  const banners = [...reasons].map(([detail, failed]) => {
    const [words, technical] = partsOf(detail)
    // The list is a minute old at most; a try that is due by now is under way.
    const next = failed.flatMap(({ nextDue }) => (nextDue && Date.parse(nextDue) > now ? [Date.parse(nextDue)] : []))
    return (
      <ErrorBanner
        key={detail}
        title={`${failed.map(({ source }) => translateText(nameOf(source).words)).join(', ')}:`}
      >
        {translateText(words)}
        {technical}.{next.length > 0 && ` ${t('Next try {{time}}.', { time: formatTime(Math.min(...next)) })}`}
      </ErrorBanner>
    )
  })
  return <div>{banners}</div>
}

const rereadMs = 15_000

const SystemOverview = () => {
  const read = useCall(systemStatus, { refetchIntervalMs: rereadMs })
  return (
    <Page>
      {read.data && <FailedSources sources={read.data.sources} />}
      <StatusFigures status={read.data} />
      <SourcesTable read={read} />
    </Page>
  )
}

export default SystemOverview
