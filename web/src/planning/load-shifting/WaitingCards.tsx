import { Skeleton } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'

/** The cards of a result that is being read: figures, two charts and two tables. */
const heights = [64, 300, 200, 96, 240]

export const WaitingCards = () => (
  <Stack gap="cards">
    <span role="status" aria-label={t('Loading')} className="gm-hidden" />
    {heights.map((height) => (
      <Panel key={height}>
        <Skeleton height={height} animate={false} />
      </Panel>
    ))}
  </Stack>
)
