import { Textarea, TextInput } from '@mantine/core'
import { type Instance, saveInstance } from '@gridmast/contract/people/instances.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'

type Props = { instance: Instance | null; onClose: () => void }

/** Name and description of an instance. */
export const EditInstance = ({ instance, onClose }: Props) => (
  <CallFormDialog
    title={t('Edit instance')}
    submit={t('Save changes')}
    size={480}
    call={saveInstance}
    initial={instance && { name: instance.name, description: instance.description }}
    request={{ params: { id: instance?._id } }}
    onClose={onClose}
  >
    {({ field }) => (
      <>
        <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
        <Textarea label={t('Description')} maxLength={limits.descriptionLength} {...field('description')} />
      </>
    )}
  </CallFormDialog>
)
