import { useMediaQuery } from '@mantine/hooks'
import type { Instance } from '@gridmast/contract/people/instances.ts'
import type { LicenceType } from '@gridmast/contract/people/licences.ts'
import { today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { EditInstance } from '#delivery/instances/EditInstance.tsx'
import { InstanceList } from '#delivery/instances/InstanceList.tsx'
import { InstanceOverview } from '#delivery/instances/InstanceOverview.tsx'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { noRange } from '#ui/Chart/RangePicker.tsx'
import { ListAndDetails, Stack } from '#ui/Layout.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './LicenceApp.module.css'
import type { appSearch } from './search.ts'

type Props = UrlProps<typeof appSearch> & { licence: LicenceType }

export const OverviewTab = ({ licence, search, onSearch }: Props) => {
  const small = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false }) ?? false
  const mayEdit = useCan('instance.edit')
  const [collapsed, setCollapsed] = useState(false)
  const [editing, setEditing] = useState<Instance | null>(null)
  const newestDay = today(useNow(60_000))
  const [first] = licence.groups
  const instance = licence.groups.find(({ _id }) => _id === search.instance) ?? first
  if (!instance)
    return (
      <Panel title={t('Instances')} label={t('Instances')}>
        <Empty title={t('This license has no instances yet.')}>{t('Ask the operator to add one.')}</Empty>
      </Panel>
    )
  const date = search.date ?? newestDay
  const view = search.subTab === 'consumption' ? 'consumption' : 'power'
  const choose = (id: string) => onSearch({ instance: id === first?._id ? undefined : id })
  return (
    <ListAndDetails list={collapsed ? 'collapsed' : undefined}>
      {small ? (
        <Select
          label={t('Instance')}
          data={licence.groups.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={instance._id}
          allowDeselect={false}
          onChange={(id) => id && choose(id)}
        />
      ) : (
        <InstanceList
          instances={licence.groups}
          chosen={instance._id}
          onChoose={choose}
          onEdit={mayEdit ? setEditing : undefined}
          collapsed={collapsed}
          onCollapse={setCollapsed}
        />
      )}
      <Stack gap={12} className={classes.day}>
        <InstanceOverview
          key={`${instance._id} ${date}`}
          instance={instance}
          others={licence.groups.filter(({ _id }) => _id !== instance._id)}
          date={date}
          view={view}
          onDate={(day) => onSearch({ date: day === newestDay ? undefined : day, ...noRange })}
          onView={(next) => onSearch({ subTab: next === 'power' ? undefined : next })}
        />
      </Stack>
      <EditInstance instance={editing} onClose={() => setEditing(null)} />
    </ListAndDetails>
  )
}
