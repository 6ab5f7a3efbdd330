import { today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { Segments } from '#ui/Segments.tsx'
import type { Group } from './AlertForm.tsx'
import { AlertList } from './AlertList.tsx'
import { Row, Stack } from '#ui/Layout.tsx'
import type { AlertSearch } from './search.ts'
import { TriggeredList } from './TriggeredList.tsx'

type Props = {
  licence: { _id: string; groups: readonly Group[] }
  search: AlertSearch & { subTab?: string | undefined; instance?: string | undefined }
  onSearch: (change: Partial<AlertSearch> & { subTab?: 'triggered' | undefined }) => void
}

export const AlertsTab = ({ licence, search, onSearch }: Props) => {
  const now = today(useNow(60_000))
  const view = search.subTab === 'triggered' ? 'triggered' : 'alerts'
  const open = (next: 'alerts' | 'triggered') => {
    onSearch({
      subTab: next === 'triggered' ? next : undefined,
      date: undefined,
      createAlertModal: undefined,
      sort: undefined,
      order: undefined,
    })
  }
  return (
    <Stack gap={16}>
      <Row>
        <Segments
          label={t('Alerts')}
          value={view}
          onChange={open}
          data={[
            { value: 'alerts', label: t('Alerts') },
            { value: 'triggered', label: t('Triggered Alerts') },
          ]}
        />
      </Row>
      {view === 'alerts' ? (
        <AlertList
          licenceId={licence._id}
          groups={licence.groups}
          instance={search.instance}
          limit={search.limit}
          creating={search.createAlertModal === true}
          onCreating={(creating) => onSearch({ createAlertModal: creating || undefined })}
        />
      ) : (
        <TriggeredList
          licenceId={licence._id}
          date={search.date ?? now}
          today={now}
          limit={search.limit}
          onDate={(date) => onSearch({ date: date === now ? undefined : date })}
        />
      )}
    </Stack>
  )
}
