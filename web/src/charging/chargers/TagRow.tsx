import { saveChargerTag, saveChargerTagGroup } from '@gridmast/contract/charging/ev-charging.ts'
import { t } from '#lib/i18n.ts'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import type { SwitchedOff } from './StopDialog.tsx'

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
