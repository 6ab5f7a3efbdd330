import type { Sentence } from '#i18n/da.ts'
import { useTranslation } from '#lib/i18n.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Segments } from '#ui/Segments.tsx'

export type EventGroup = 'fcr' | 'frr'
type NoEvent = never

/** Activation events of the instances; there is nothing to list until activations are detected. */
export const EventsCard = ({ group, onGroup }: { group: EventGroup; onGroup: (group: EventGroup) => void }) => {
  const { t } = useTranslation()
  const column = (title: Sentence, align?: 'right'): Column<NoEvent> => ({
    key: title,
    title: t(title),
    cell: () => null,
    ...(align ? { align } : {}),
  })
  const columns = [
    column('Type'),
    column('Instance'),
    column('Direction'),
    column('Start Time'),
    column(group === 'fcr' ? 'Delta Load (%)' : 'Max Setpoint', 'right'),
    column('Duration', 'right'),
    column('Consumption (kWh)', 'right'),
  ]
  return (
    <Panel
      title={t('Events')}
      label={t('Events')}
      bleed
      tools={
        <Segments
          label={t('Markets')}
          value={group}
          onChange={onGroup}
          data={[
            { value: 'fcr', label: t('FCR Markets') },
            { value: 'frr', label: t('FRR Markets') },
          ]}
        />
      }
    >
      <DataTable
        label={t('Events')}
        columns={columns}
        rows={[]}
        rowKey={() => ''}
        emptyReason={t('Activations of your instances will be listed here.')}
      />
    </Panel>
  )
}
