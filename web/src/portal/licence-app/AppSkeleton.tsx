import { Skeleton } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { ListAndDetails, Row, Stack } from '#ui/Layout.tsx'
import { ChartSkeleton } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './LicenceApp.module.css'
import type { AppTab } from './search.ts'

const tabWidths = [58, 42, 48]
const rows = ['a', 'b', 'c']

export const AppSkeleton = ({ tab }: { tab: AppTab }) => (
  <>
    <Row nowrap gap={28} className={classes.waitingTabs}>
      {tabWidths.map((width) => (
        <Skeleton key={width} height={14} width={width} animate={false} />
      ))}
    </Row>
    <div style={{ paddingTop: 16 }}>
      {tab === 'overview' ? (
        <ListAndDetails>
          <Stack gap={20} className={classes.waitingList}>
            {rows.map((row) => (
              <Skeleton key={row} height={34} animate={false} />
            ))}
          </Stack>
          <Stack gap={12} className={classes.day}>
            <Row gap={12} align="end" style={{ minHeight: 52 }}>
              <Skeleton height={32} width={220} animate={false} />
              <Skeleton height={32} width={240} animate={false} />
            </Row>
            <Panel label={t('Overview')} style={{ minHeight: 564 }}>
              <Skeleton height={16} width={180} animate={false} />
              <Skeleton height={44} width={320} mt={32} maw="100%" animate={false} />
              <ChartSkeleton height={400} />
            </Panel>
          </Stack>
        </ListAndDetails>
      ) : (
        <Panel label={t('Loading')}>
          <Skeleton height={16} width={140} mb={20} animate={false} />
          {rows.map((row) => (
            <Skeleton key={row} height={20} mb={16} animate={false} />
          ))}
          <span role="status" aria-label={t('Loading')} />
        </Panel>
      )}
    </div>
  </>
)
