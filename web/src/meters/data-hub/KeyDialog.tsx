import { Button, TextInput } from '@mantine/core'
import { type MeterGroup, removeMeterGroup, saveMeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { useEffect, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { cvrText, groupText } from './meter-words.ts'

type Props = {
  group: MeterGroup | null
  onClose: () => void
  /** Where the focus goes when the group is gone. */
  onRemoved?: () => void
}

/** Names a group of meters, or deletes it after a question. */
export const KeyDialog = ({ group, onClose, onRemoved }: Props) => {
  const [removing, setRemoving] = useState<MeterGroup | null>(null)
  return (
    <>
      <FormDialog
        editing={group}
        size={440}
        title={t('Edit group {{key}}', { key: group ? cvrText(group.key) : '' })}
        onClose={onClose}
      >
        {(one, { onUnsaved, onCancel, onDone }) => (
          <GroupForm
            group={one}
            onUnsaved={onUnsaved}
            onCancel={onCancel}
            onDone={onDone}
            onRemove={() => {
              onDone()
              setRemoving(one)
            }}
          />
        )}
      </FormDialog>
      <RemoveDialog group={removing} onClose={() => setRemoving(null)} onRemoved={onRemoved} />
    </>
  )
}

type FormProps = {
  group: MeterGroup
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
  onRemove: () => void
}

const GroupForm = ({ group, onUnsaved, onCancel, onDone, onRemove }: FormProps) => {
  const { form, field, submit, sending, waitS } = useCallForm(saveMeterGroup, {
    initial: { dataHub: { name: group.name ?? '' } },
    fields: ['dataHub.name'],
    beside: () => ({ params: { groupId: group._id } }),
    onDone,
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  return (
    <form noValidate aria-label={t('Edit group')} onSubmit={submit}>
      <TextInput
        label={t('Name')}
        description={t('Shown beside the CVR number, such as the name of the company')}
        autoComplete="off"
        maxLength={limits.meterNameMax}
        data-autofocus
        {...field('dataHub.name')}
        withAsterisk={false}
      />
      <FormActions
        aside={
          <Button variant="default" c="var(--gm-down)" onClick={onRemove}>
            {t('Delete')}
          </Button>
        }
        onCancel={onCancel}
        sending={sending}
        waitS={waitS}
      >
        {t('Save changes')}
      </FormActions>
    </form>
  )
}

type RemoveProps = { group: MeterGroup | null; onClose: () => void; onRemoved: (() => void) | undefined }

const RemoveDialog = ({ group, onClose, onRemoved }: RemoveProps) => {
  const doing = useDo(removeMeterGroup)
  const remove = () => {
    if (group) doing.mutate({ params: { groupId: group._id } }, { onSuccess: onRemoved, onSettled: onClose })
  }
  return (
    <ConfirmDialog
      opened={group !== null}
      title={t('Delete this group?')}
      confirm={t('Yes')}
      cancel={t('No')}
      danger
      sending={doing.isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {group &&
        t('Deleting a group also deletes its devices: {{n}} of {{group}}, with their readings.', {
          group: groupText(group),
          n: group.meterIdData.length,
        })}
    </ConfirmDialog>
  )
}
