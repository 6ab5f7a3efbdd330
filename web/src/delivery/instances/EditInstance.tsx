import { Textarea, TextInput } from '@mantine/core'
import { type Instance, saveInstance } from '@gridmast/contract/people/instances.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { Stack } from '#ui/Layout.tsx'

type Props = { instance: Instance | null; onClose: () => void }

/** Name and description of an instance. */
export const EditInstance = ({ instance, onClose }: Props) => (
  <Dialog opened={instance !== null} onClose={onClose} size={480} title={t('Edit instance')}>
    {instance && <Form instance={instance} onClose={onClose} />}
  </Dialog>
)

const Form = ({ instance, onClose }: { instance: Instance; onClose: () => void }) => {
  const { field, submit, sending, waitS } = useCallForm(saveInstance, {
    initial: { name: instance.name, description: instance.description },
    fields: ['name', 'description'],
    beside: () => ({ params: { id: instance._id } }),
    onDone: onClose,
  })
  return (
    <form noValidate aria-label={t('Edit instance')} onSubmit={submit}>
      <Stack gap={16}>
        <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
        <Textarea
          label={t('Description')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={limits.descriptionLength}
          {...field('description')}
          withAsterisk={false}
        />
      </Stack>
      <FormActions onCancel={onClose} sending={sending} waitS={waitS}>
        {t('Save changes')}
      </FormActions>
    </form>
  )
}
