import { chargerAnswer } from '#ui/ConnectorState.tsx'
import { saveChargerTag, saveChargerTagGroup } from '@gridmast/contract/charging/tags.ts'
import { stopGroupSessions, stopTagSessions } from '@gridmast/contract/charging/sessions.ts'
import { t } from '#lib/i18n.ts'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import { Button, Group } from '@mantine/core'
import { useDo } from '#lib/query.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Lines } from '#ui/Layout.tsx'

type FlagProps = {
  kind: Disabled['kind']
  row: { _id: string; name: string; action: boolean }
  mayEdit: boolean
  /** Called where sessions of the disabled tag or group are running. */
  onOff: (off: Disabled) => void
}

export const ActiveFlag = ({ kind, row: { _id, name, action }, mayEdit, onOff }: FlagProps) => {
  if (!mayEdit) return action ? t('Active') : t('Inactive')
  return (
    <SavedSwitch
      aria-label={t('{{name}} active', { name })}
      checked={action}
      call={kind === 'tag' ? saveChargerTag : saveChargerTagGroup}
      sent={(isOn) => ({ params: { id: _id }, body: { action: isOn } })}
      onSaved={({ running }, isOn) => {
        if (!isOn && running > 0) onOff({ kind, id: _id, name, running })
      }}
    />
  )
}

/** A tag or a group that was disabled while sessions of it run. */
export type Disabled = { kind: 'tag' | 'group'; id: string; name: string; running: number }

type Props = { off: Disabled | null; onClose: () => void }

export const StopDialog = ({ off, onClose }: Props) => (
  <Dialog
    opened={off !== null}
    onClose={onClose}
    title={t('Stop {{count}} running sessions too?', { count: off?.running ?? 0 })}
  >
    {off && <Stopping key={off.id} off={off} onClose={onClose} />}
  </Dialog>
)

const Stopping = ({ off, onClose }: { off: Disabled; onClose: () => void }) => {
  const stopping = useDo(off.kind === 'tag' ? stopTagSessions : stopGroupSessions)
  const stops = stopping.data?.stops
  return (
    <>
      {stops ? (
        <Lines role="status">
          {stops.map(({ chargerName, connectorId, status, accepted }) => (
            <li key={`${chargerName} ${connectorId}`}>
              <span>{connectorId === null ? chargerName : `${chargerName} · ${connectorId}`}</span>
              <b style={{ color: `var(--gm-${accepted ? 'up' : 'down'})` }}>{chargerAnswer(status)}</b>
            </li>
          ))}
        </Lines>
      ) : (
        <p>
          {t('{{name}} can start no new sessions. Running sessions continue unless you stop them now.', {
            name: off.name,
          })}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {stops ? t('Close') : t('Keep running')}
        </Button>
        {!stops && (
          <Button color="red" loading={stopping.isPending} onClick={() => stopping.mutate({ params: { id: off.id } })}>
            {t('Stop sessions')}
          </Button>
        )}
      </Group>
    </>
  )
}
