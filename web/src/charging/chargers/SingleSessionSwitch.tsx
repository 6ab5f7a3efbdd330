import { getChargingChoice, saveChargingChoice } from '@gridmast/contract/charging/ev-charging.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'

/** Whether a tag may charge at several places at once, of all tags of the company. */
export const SingleSessionSwitch = ({ mayEdit }: { mayEdit: boolean }) => {
  const read = useCall(getChargingChoice, {})
  const isOn = read.data?.oneSession ?? false
  const words = t('A tag that charges is refused elsewhere, when a session starts')
  if (!mayEdit) return isOn && <span className="gm-meta">{words}</span>
  return (
    <div data-end>
      <SavedSwitch
        label={t('One session for each tag')}
        aria-label={t('One session for each tag')}
        description={words}
        disabled={read.data === undefined}
        checked={isOn}
        call={saveChargingChoice}
        sent={(oneSession) => ({ body: { oneSession } })}
      />
    </div>
  )
}
