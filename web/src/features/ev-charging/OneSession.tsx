import { Switch } from '@mantine/core'
import { getChargingChoice, saveChargingChoice } from '@gridmast/contract/ev-charging.ts'
import { useTranslation } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'

/** Whether a tag may charge at several places at once, of all tags of the company. */
export const OneSession = ({ mayEdit }: { mayEdit: boolean }) => {
  const { t } = useTranslation()
  const read = useCall(getChargingChoice, {})
  const saving = useDo(saveChargingChoice)
  const isOn = read.data?.oneSession ?? false
  const words = t('A tag that charges is refused elsewhere, when a session starts')
  if (!mayEdit) return isOn && <span className="gm-meta">{words}</span>
  return (
    <div data-end>
      <Switch
        withThumbIndicator={false}
        label={t('One session for each tag')}
        aria-label={t('One session for each tag')}
        description={words}
        disabled={read.data === undefined || saving.isPending}
        checked={saving.pending[0]?.body.oneSession ?? isOn}
        onChange={(event) => saving.mutate({ body: { oneSession: event.currentTarget.checked } })}
      />
    </div>
  )
}
