import type { Data } from '@gridmast/contract/call.ts'
import { type ActivationEvent, eventCommandLog } from '@gridmast/contract/delivery/events.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Note, Row, Text } from '#ui/Layout.tsx'
import classes from './events.module.css'

type Command = Data<typeof eventCommandLog>['commandLog'][number]
type Props = { event: ActivationEvent | null; onClose: () => void }

export const CommandLog = ({ event, onClose }: Props) => (
  <Dialog opened={event !== null} onClose={onClose} size={640} large title={t('Command Log')}>
    {event && <Commands key={event._id} event={event} />}
  </Dialog>
)

const Commands = ({ event }: { event: ActivationEvent }) => {
  const sent = { params: { id: event._id } }
  const query = useCall(eventCommandLog, { sent: { ...sent, query: {} } })
  const commands = query.data?.commandLog ?? []
  const start = formatDateTime(Date.parse(event.startTime))
  return (
    <>
      <Row gap={16} rowGap={4} below={12}>
        <Note grow={200} size="small">
          {[event.instanceName, event.market, start].join(' · ')}
        </Note>
        <ExportButton disabled={commands.length === 0} onExport={fileOf(eventCommandLog, { ...sent, query: {} })} />
      </Row>
      <Text as="div" flat className={classes.commands}>
        <ListPanel<Command & { key: string }>
          query={query}
          failed={t('The command log could not be loaded.')}
          label={t('Command Log')}
          numbered
          rows={commands.map((one, i) => ({ ...one, key: `${i}` }))}
          rowKey={({ key }) => key}
          columns={[
            column.time('timestamp', t('Time (CET/CEST)'), ({ timestamp }) => timestamp, { card: 'plain' }),
            column.text('device', t('Device'), ({ deviceId }) => deviceId, { card: 'plain' }),
            column.text('command', t('Command'), ({ command }) => command, { card: 'lead' }),
          ]}
          emptyReason={t('The edge reported no command to its devices.')}
        />
      </Text>
    </>
  )
}
