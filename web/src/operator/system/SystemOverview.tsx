import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { FailedSources } from './FailedSources.tsx'
import { SourcesTable } from './SourcesTable.tsx'
import { StatusFigures } from './StatusFigures.tsx'
import { useCall } from '#lib/query.ts'
import { Page } from '#ui/Page.tsx'

const everyMs = 15_000

const SystemOverview = () => {
  const read = useCall(systemStatus, { refetchIntervalMs: everyMs })
  return (
    <Page>
      {read.data && <FailedSources sources={read.data.sources} />}
      <StatusFigures status={read.data} />
      <SourcesTable read={read} />
    </Page>
  )
}

export default SystemOverview
