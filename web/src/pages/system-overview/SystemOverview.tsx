import { systemStatus } from '@gridmast/contract/system.ts'
import { say, useTranslation } from '#lib/i18n.ts'
import { FailedSources } from '#features/system/FailedSources.tsx'
import { SourcesTable } from '#features/system/SourcesTable.tsx'
import { StatusFigures } from '#features/system/StatusFigures.tsx'
import { useCall } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Banner.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './SystemOverview.module.css'

const everyMs = 15_000

const SystemOverview = () => {
  const { t } = useTranslation()
  const { data, error, isPending, isFetching, refetch } = useCall(systemStatus, { refetchIntervalMs: everyMs })
  return (
    <main className={classes.page}>
      {error && (
        <ErrorBanner
          title={t('The system overview could not be loaded.')}
          onRetry={() => void refetch()}
          retrying={isFetching}
        >
          {say(error.message)}
        </ErrorBanner>
      )}
      {data && <FailedSources sources={data.sources} />}
      <StatusFigures status={data} />
      <Panel title={t('Data freshness')} label={t('Data freshness')} bleed>
        <SourcesTable sources={data?.sources ?? []} loading={isPending} />
      </Panel>
    </main>
  )
}

export default SystemOverview
