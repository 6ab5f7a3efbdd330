import { Switch, TextInput } from '@mantine/core'
import {
  addChargerTag,
  addChargerTagGroup,
  type ChargerTag,
  type ChargerTagGroup,
  saveChargerTag,
  saveChargerTagGroup,
} from '@gridmast/contract/charging/tags.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { Select } from '#ui/Select.tsx'
import { BudgetFields, budgetValues } from './Budget.tsx'
import type { Disabled } from './ActiveFlag.tsx'

type Choice = { value: string; label: string }

/** Runs when an active tag or group with running sessions is saved as inactive. */
type OnOff = { onOff: (off: Disabled) => void }
type TagProps = OnOff & { editing: ChargerTag | 'new' | null; groups: Choice[]; onClose: () => void }

/** Longer ones are of OCPP 2.0.1 only. */
const longestOf16 = 20

export const TagDialog = ({ editing, groups, onOff, onClose }: TagProps) => {
  const tag = editing === 'new' ? null : editing
  return (
    <CallFormDialog
      title={editing === 'new' ? t('Create tag') : t('Edit tag')}
      submit={tag ? t('Save changes') : t('Create tag')}
      call={tag ? saveChargerTag : addChargerTag}
      initial={
        editing && {
          name: tag?.name ?? '',
          tagID: tag?.tagID ?? '',
          action: tag?.action ?? true,
          groupId: tag?.groupId ?? null,
          properties: { chargingType: 'tagId' },
          ...budgetValues(tag?.budget),
        }
      }
      request={{ params: { id: tag?._id } }}
      onDone={(saved, { name, action }) => {
        const running = 'running' in saved ? saved.running : 0
        if (tag?.action && !action && running > 0) onOff({ kind: 'tag', id: tag._id, name, running })
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput label={t('Name')} autoComplete="off" data-autofocus {...form.field('name')} withAsterisk />
          <TextInput
            label={t('Tag ID')}
            autoComplete="off"
            spellCheck={false}
            description={
              form.values.tagID.trim().length > longestOf16
                ? t('More than 20 characters: for OCPP 2.0.1 chargers only.')
                : t('As printed on the card or key ring; case does not matter.')
            }
            {...form.field('tagID')}
            withAsterisk
          />
          <Select
            label={t('Charging type')}
            allowDeselect={false}
            data={[{ value: 'tagId', label: 'tagId' }]}
            {...form.field('properties.chargingType')}
            withAsterisk={false}
          />
          <Select
            label={t('Group')}
            placeholder={t('No group')}
            clearable
            searchable
            nothingFoundMessage={t('No such group')}
            data={groups}
            {...form.field('groupId')}
          />
          <BudgetFields form={form} />
          <Switch
            withThumbIndicator={false}
            label={t('Active')}
            description={t('Applies from the next authorisation on')}
            {...form.checkbox('action')}
          />
        </>
      )}
    </CallFormDialog>
  )
}

type GroupProps = OnOff & { editing: ChargerTagGroup | 'new' | null; onClose: () => void }

export const GroupDialog = ({ editing, onOff, onClose }: GroupProps) => {
  const group = editing === 'new' ? null : editing
  return (
    <CallFormDialog
      title={editing === 'new' ? t('Create group') : t('Edit group')}
      submit={group ? t('Save changes') : t('Create group')}
      call={group ? saveChargerTagGroup : addChargerTagGroup}
      initial={editing && { name: group?.name ?? '', action: group?.action ?? true, ...budgetValues(group?.budget) }}
      request={{ params: { id: group?._id } }}
      onDone={(saved, { name, action }) => {
        const running = 'running' in saved ? saved.running : 0
        if (group?.action && !action && running > 0) onOff({ kind: 'group', id: group._id, name, running })
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput label={t('Name')} autoComplete="off" data-autofocus {...form.field('name')} withAsterisk />
          <BudgetFields form={form} />
          <Switch
            withThumbIndicator={false}
            label={t('Active')}
            description={t('While inactive, none of its tags can charge')}
            {...form.checkbox('action')}
          />
        </>
      )}
    </CallFormDialog>
  )
}
