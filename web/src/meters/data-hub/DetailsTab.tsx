import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useCall } from '#lib/query.ts'
import { Loaded, Empty, ChartSkeleton } from '#ui/Loaded.tsx'
import { ListAndDetails, Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { MeterDownloadDialog } from './MeterDownloadDialog.tsx'
import { type MeterActions, MeterGroups } from './MeterGroups.tsx'
import { MeterOverview } from './MeterOverview.tsx'
import type { hubSearch } from './search.ts'
import { cvrText } from './meter-words.ts'

type Props = MeterActions & UrlProps<typeof hubSearch>

/** The keys with their meters, and the meter that is chosen; the first that is configured is chosen already. */
export const DetailsTab = ({ search, onSearch, ...actions }: Props) => {
  const small = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false }) ?? false
  const read = useCall(findMeterGroups, {})
  const [downloading, setDownloading] = useState(false)
  if (!read.data)
    return (
      <Panel label={t('Meters')}>
        <Loaded query={read} failed={t('The meters could not be loaded.')} waiting={<ChartSkeleton height={400} />} />
      </Panel>
    )
  const { groups } = read.data
  const meters = groups.flatMap(({ meterIdData }) => meterIdData)
  const first = meters.find(({ configured }) => configured)
  const meter = meters.find(({ id }) => id === search.device) ?? first
  const choose = (id: string) => onSearch({ device: id === first?.id ? undefined : id })
  return (
    <ListAndDetails list="wide">
      {small && meter ? (
        <Select
          label={t('Meter')}
          data={groups.map(({ key, name, meterIdData }) => ({
            group: [cvrText(key), name].filter(Boolean).join(' '),
            items: meterIdData.map(({ id, dataHub, configured }) => ({
              value: id,
              label: dataHub.name,
              disabled: !configured,
            })),
          }))}
          value={meter.id}
          allowDeselect={false}
          onChange={(id) => id && choose(id)}
        />
      ) : (
        <MeterGroups groups={groups} chosen={meter?.id} onChoose={choose} {...actions} />
      )}
      {meter?.configured ? (
        <Stack gap={12}>
          <MeterOverview
            key={meter.id}
            meter={meter}
            search={search}
            onSearch={onSearch}
            onDownload={() => setDownloading(true)}
          />
          <MeterDownloadDialog
            groups={groups}
            chosen={meter.id}
            opened={downloading}
            onClose={() => setDownloading(false)}
          />
        </Stack>
      ) : (
        <Panel label={t('Meter')} style={{ minHeight: 320 }}>
          <Empty title={meters.length === 0 ? t('No meters yet') : translateText(m.configurationRequired)} />
        </Panel>
      )}
    </ListAndDetails>
  )
}
