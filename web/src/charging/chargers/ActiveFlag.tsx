import { chargerAnswer } from '#ui/ConnectorState.tsx'
import { saveChargerTag, saveChargerTagGroup } from '@gridmast/contract/charging/tags.ts'
import { stopGroupSessions, stopTagSessions } from '@gridmast/contract/charging/sessions.ts'
import { t } from '#lib/i18n.ts'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import { Button, Group } from '@mantine/core'
import { useDo } from '#lib/query.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Lines } from '#ui/Layout.tsx'
import classes from './ev-charging.module.css'

type FlagProps = {
  kind: SwitchedOff['kind']
  row: { _id: string; name: string; action: boolean }
  mayEdit: boolean
  /** Sessions are running on what was switched off. */
  onOff: (off: SwitchedOff) => void
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

/** A tag or a group that was switched off while so many sessions of it run. */
export type SwitchedOff = { kind: 'tag' | 'group'; id: string; name: string; running: number }

type Props = { off: SwitchedOff | null; onClose: () => void }

/** What is switched off may start no session; the ones that run are stopped here, if one wants. */
export const StopDialog = ({ off, onClose }: Props) => (
  <Dialog
    opened={off !== null}
    onClose={onClose}
    title={t('Stop {{count}} running sessions too?', { count: off?.running ?? 0 })}
  >
    {off && <Stopping key={off.id} off={off} onClose={onClose} />}
  </Dialog>
)

const Stopping = ({ off, onClose }: { off: SwitchedOff; onClose: () => void }) => {
  const stopping = useDo(off.kind === 'tag' ? stopTagSessions : stopGroupSessions)
  const stops = stopping.data?.stops
  return (
    <>
      {stops ? (
        <Lines role="status">
          {stops.map(({ chargerName, connectorId, status, accepted }) => (
            <li key={`${chargerName} ${connectorId}`}>
              <span>{connectorId === null ? chargerName : `${chargerName} · ${connectorId}`}</span>
              <b className={accepted ? classes.good : classes.bad}>{chargerAnswer(status)}</b>
            </li>
          ))}
        </Lines>
      ) : (
        <p>
          {t('{{name}} may start no more sessions. Those that run go on until they end, or are stopped now.', {
            name: off.name,
          })}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {stops ? t('Close') : t('Let them run')}
        </Button>
        {!stops && (
          <Button color="red" loading={stopping.isPending} onClick={() => stopping.mutate({ params: { id: off.id } })}>
            {t('Stop them')}
          </Button>
        )}
      </Group>
    </>
  )
}
