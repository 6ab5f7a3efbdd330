import { Select, Switch, TextInput } from '@mantine/core'
import {
  addChargerTag,
  addChargerTagGroup,
  type ChargerTag,
  type ChargerTagGroup,
  saveChargerTag,
  saveChargerTagGroup,
} from '@gridmast/contract/charging/ev-charging.ts'
import { useEffect } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Stack } from '#ui/Layout.tsx'
import { BudgetFields, budgetFields, budgetValues } from './Budget.tsx'
import type { SwitchedOff } from './StopDialog.tsx'

type Tools = { onUnsaved: (unsaved: boolean) => void; onCancel: () => void; onDone: () => void }
type Choice = { value: string; label: string }

/** Told once what was active is saved as inactive, where sessions of it run. */
type OnOff = { onOff: (off: SwitchedOff) => void }
type TagProps = OnOff & { editing: ChargerTag | 'new' | null; groups: Choice[]; onClose: () => void }

export const TagDialog = ({ editing, groups, onOff, onClose }: TagProps) => (
  <FormDialog editing={editing} title={editing === 'new' ? t('Create tag') : t('Edit tag')} onClose={onClose}>
    {(one, tools) => <TagForm tag={one === 'new' ? null : one} {...{ groups, onOff }} {...tools} />}
  </FormDialog>
)

/** Longer ones are of OCPP 2.0.1 only. */
const longestOf16 = 20

const TagForm = ({
  tag,
  groups,
  onOff,
  onUnsaved,
  onCancel,
  onDone,
}: Tools & OnOff & { tag: ChargerTag | null; groups: Choice[] }) => {
  const initial = {
    name: tag?.name ?? '',
    tagID: tag?.tagID ?? '',
    action: tag?.action ?? true,
    groupId: tag?.groupId ?? null,
    properties: { chargingType: 'tagId' as const },
    ...budgetValues(tag?.budget),
  }
  const common = {
    initial,
    fields: ['name', 'tagID', 'properties.chargingType', 'groupId', 'action', ...budgetFields],
    onDone,
  }
  const creating = useCallForm(addChargerTag, common)
  const updating = useCallForm(saveChargerTag, {
    ...common,
    beside: () => ({ params: { id: tag?._id } }),
    onDone: ({ running }, { name, action }) => {
      onDone()
      if (tag?.action && !action && running > 0) onOff({ kind: 'tag', id: tag._id, name, running })
    },
  })
  const { form, field, submit, sending, waitS } = tag ? updating : creating
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const isLong = form.values.tagID.trim().length > longestOf16
  return (
    <form noValidate aria-label={tag ? t('Edit tag') : t('Create tag')} onSubmit={submit}>
      <Stack gap={16}>
        <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
        <TextInput
          label={t('Tag ID')}
          autoComplete="off"
          spellCheck={false}
          description={
            isLong
              ? t('More than 20 characters: only chargers of OCPP 2.0.1 can read it.')
              : t('As the card or key ring says it; upper and lower case are the same.')
          }
          {...field('tagID')}
        />
        <Select
          label={t('Charging type')}
          allowDeselect={false}
          data={[{ value: 'tagId', label: 'tagId' }]}
          {...field('properties.chargingType')}
          withAsterisk={false}
        />
        <Select
          label={t('Group')}
          placeholder={t('No group')}
          clearable
          searchable
          nothingFoundMessage={t('No such group')}
          data={groups}
          {...field('groupId')}
          withAsterisk={false}
        />
        <BudgetFields values={form.values} field={field} onChange={(path, value) => form.setFieldValue(path, value)} />
        <Switch
          withThumbIndicator={false}
          label={t('Active')}
          description={t('It counts from the next time that a charger asks')}
          {...form.getInputProps('action', { type: 'checkbox' })}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {tag ? t('Save changes') : t('Create tag')}
      </FormActions>
    </form>
  )
}

type GroupProps = OnOff & { editing: ChargerTagGroup | 'new' | null; onClose: () => void }

export const GroupDialog = ({ editing, onOff, onClose }: GroupProps) => (
  <FormDialog editing={editing} title={editing === 'new' ? t('Create group') : t('Edit group')} onClose={onClose}>
    {(one, tools) => <GroupForm group={one === 'new' ? null : one} onOff={onOff} {...tools} />}
  </FormDialog>
)

const GroupForm = ({
  group,
  onOff,
  onUnsaved,
  onCancel,
  onDone,
}: Tools & OnOff & { group: ChargerTagGroup | null }) => {
  const common = {
    initial: { name: group?.name ?? '', action: group?.action ?? true, ...budgetValues(group?.budget) },
    fields: ['name', 'action', ...budgetFields],
    onDone,
  }
  const creating = useCallForm(addChargerTagGroup, common)
  const updating = useCallForm(saveChargerTagGroup, {
    ...common,
    beside: () => ({ params: { id: group?._id } }),
    onDone: ({ running }, { name, action }) => {
      onDone()
      if (group?.action && !action && running > 0) onOff({ kind: 'group', id: group._id, name, running })
    },
  })
  const { form, field, submit, sending, waitS } = group ? updating : creating
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  return (
    <form noValidate aria-label={group ? t('Edit group') : t('Create group')} onSubmit={submit}>
      <Stack gap={16}>
        <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
        <BudgetFields values={form.values} field={field} onChange={(path, value) => form.setFieldValue(path, value)} />
        <Switch
          withThumbIndicator={false}
          label={t('Active')}
          description={t('While it is off, none of its tags may charge')}
          {...form.getInputProps('action', { type: 'checkbox' })}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {group ? t('Save changes') : t('Create group')}
      </FormActions>
    </form>
  )
}
