import { ActionIcon, Button, TextInput } from '@mantine/core'
import { findMutes, type Mute, saveMutes } from '@gridmast/contract/notifications/triggered.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useCall } from '#lib/query.ts'
import { useUser } from '#lib/user.tsx'
import { LoadError, Waiting } from '#ui/Loaded.tsx'
import { Actions, SubmitButton } from '#ui/FormParts.tsx'
import { Note, Row, Text } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

const night: Mute = { startTime: '22:00', endTime: '06:00' }

/** When one's own bell stays still. */
export const MutesForm = () => {
  const read = useCall(findMutes, {})
  if (read.error) return <LoadError query={read} title={t('The muted times could not be loaded.')} />
  return read.data ? <Form mutes={read.data.mutes} /> : <Waiting height={36} />
}

const Form = ({ mutes }: { mutes: Mute[] }) => {
  const { instances } = useUser().customerId
  const { form, field, formProps, sending, waitS } = useCallForm(saveMutes, {
    initial: { mutes },
    onDone: () => {},
  })
  const rows = form.getValues().mutes
  return (
    <form aria-label={t('Muted times')} {...formProps}>
      {rows.length === 0 && (
        <Note ink="ink2" above={2} below={2}>
          {t('No muted times.')}
        </Note>
      )}
      <Text as="ul">
        {rows.map(({ instanceId }, i) => (
          // A row has no id of its own, and its place is what the form knows it by.
          // oxlint-disable-next-line react/no-array-index-key
          <Row as="li" key={i} gap={8} align="end" below={12}>
            <Select
              label={t('Instance')}
              allowDeselect={false}
              data={[
                { value: '', label: t('All instances') },
                ...instances.map(({ _id, name }) => ({ value: _id, label: name })),
              ]}
              value={instanceId ?? ''}
              onChange={(chosen) => form.setFieldValue(`mutes.${i}.instanceId`, chosen || undefined)}
            />
            <TextInput label={t('From')} placeholder={t('HH:mm')} w={96} {...field(`mutes.${i}.startTime`)} />
            <TextInput label={t('To')} placeholder={t('HH:mm')} w={96} {...field(`mutes.${i}.endTime`)} />
            <ActionIcon
              aria-label={t('Remove muted time {{n}}', { n: i + 1 })}
              onClick={() => form.removeListItem('mutes', i)}
            >
              <IconTrash size={16} stroke={1.8} />
            </ActionIcon>
          </Row>
        ))}
      </Text>
      <Actions>
        <Button
          variant="default"
          leftSection={<IconPlus stroke={1.8} aria-hidden />}
          disabled={rows.length >= limits.alertMutes}
          onClick={() => form.insertListItem('mutes', night)}
        >
          {t('Add a time')}
        </Button>
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Save muted times')}
        </SubmitButton>
      </Actions>
    </form>
  )
}
