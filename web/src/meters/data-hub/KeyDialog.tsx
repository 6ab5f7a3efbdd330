import { Button, TextInput } from '@mantine/core'
import { type MeterGroup, removeMeterGroup, saveMeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { cvrText, groupText } from './meter-words.ts'

type Props = {
  group: MeterGroup | null
  onClose: () => void
  /** Where the focus goes when the group is gone. */
  onRemoved?: () => void
}

/** Names a group of meters, or deletes it after a confirmation. */
export const KeyDialog = ({ group, onClose, onRemoved }: Props) => {
  const [remove, removeDialog] = useConfirm({
    call: removeMeterGroup,
    sent: ({ _id }: MeterGroup) => ({ params: { groupId: _id } }),
    title: t('Delete this group?'),
    text: (removed) =>
      t('Deleting a group also deletes its devices: {{n}} of {{group}}, with their readings.', {
        group: groupText(removed),
        n: removed.meterIdData.length,
      }),
    confirm: t('Yes'),
    cancel: t('No'),
    danger: true,
    onDone: () => onRemoved?.(),
  })
  const removeGroup = () => {
    if (!group) return
    onClose()
    remove(group)
  }
  return (
    <>
      <CallFormDialog
        title={t('Edit group {{key}}', { key: group ? cvrText(group.key) : '' })}
        label={t('Edit group')}
        submit={t('Save changes')}
        size={440}
        call={saveMeterGroup}
        initial={group && { dataHub: { name: group.name ?? '' } }}
        request={{ params: { groupId: group?._id } }}
        aside={
          <Button variant="default" c="var(--gm-down)" onClick={removeGroup}>
            {t('Delete')}
          </Button>
        }
        onClose={onClose}
      >
        {({ field }) => (
          <TextInput
            label={t('Name')}
            description={t('Shown beside the CVR number, such as the name of the company')}
            autoComplete="off"
            maxLength={limits.meterNameMax}
            data-autofocus
            {...field('dataHub.name')}
          />
        )}
      </CallFormDialog>
      {removeDialog}
    </>
  )
}
