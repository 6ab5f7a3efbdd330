import { PasswordField } from '#ui/PasswordField.tsx'
import { Checkbox, Input, TextInput } from '@mantine/core'
import { addApiKey } from '@gridmast/contract/people/api-keys.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { can } from '@gridmast/contract/roles.ts'
import { addDays, formatDate, today } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { subjectOf, useUser } from '#lib/user.tsx'
import { OneTimeSecret, SecretDialog, Code } from '#ui/OneTimeSecret.tsx'
import { useNow } from '#lib/clock.ts'
import { CallForm } from '#ui/CallForm.tsx'
import { Segments } from '#ui/Segments.tsx'
import { curlOf, scopeGroups } from './scopes.ts'
import classes from './api-keys.module.css'
import { Grid, Stack, Text } from '#ui/Layout.tsx'

export const NewKeyDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const { customerId } = useUser()
  return (
    <SecretDialog<{ token: string; scopes: string[] }>
      opened={opened}
      title={t('New API key')}
      secretTitle={t('Your new API key')}
      onClose={onClose}
      renderForm={(onSecret) => (
        <NewKeyForm onCancel={onClose} onSecret={({ token, key }) => onSecret({ token, scopes: key.scopes })} />
      )}
      renderSecret={({ token, scopes }) => (
        <OneTimeSecret
          label={t('API key')}
          secret={token}
          words={t('Treat it like a password. It is shown only once: if you lose it, revoke it and create a new one.')}
          onDone={onClose}
        >
          <div>
            <p>{t('Try it: run the first line and paste the key.')}</p>
            <Code
              label={t('Example with curl')}
              code={curlOf(window.location.origin, scopes, customerId.instances[0]?._id ?? '')}
            />
          </div>
        </OneTimeSecret>
      )}
    />
  )
}

const lives = [30, 90, 365, null]

type Props = { onCancel: () => void; onSecret: (answer: Data<typeof addApiKey>) => void }

const initial: { name: string; scopes: string[]; expiresInDays: number | null; currentPassword: string } = {
  name: '',
  scopes: [],
  expiresInDays: 90,
  currentPassword: '',
}

const NewKeyForm = ({ onCancel, onSecret }: Props) => {
  const user = useUser()
  const now = useNow(60_000)
  // Only the scopes of the user's own role: the server refuses the rest.
  const groups = scopeGroups.flatMap(({ title, scopes }) => {
    const ofRole = scopes.filter(({ scope }) => can(subjectOf(user), scope))
    return ofRole.length > 0 ? [{ title, scopes: ofRole }] : []
  })
  const firstScope = groups[0]?.scopes[0]?.scope
  return (
    <CallForm
      label={t('New API key')}
      submit={t('Create key')}
      call={addApiKey}
      initial={initial}
      onCancel={onCancel}
      onDone={onSecret}
    >
      {({ form, field, values }) => (
        <>
          <TextInput
            label={t('Name')}
            description={t('Where the key will be used, such as “Energy report”.')}
            autoComplete="off"
            data-autofocus
            {...field('name')}
          />
          {/* When none is ticked the first box takes the focus, which the group cannot. */}
          <Checkbox.Group label={t('What it may read')} {...field('scopes')} data-path={undefined}>
            <Grid columns={2} gap={16} className={classes.groups}>
              {groups.map(({ title, scopes }) => (
                <Stack as="fieldset" key={title} gap={8}>
                  <Text as="legend" size="label" ink="ink3" below={6}>
                    {t(title)}
                  </Text>
                  {scopes.map(({ scope, name, words }) => (
                    <Checkbox
                      key={scope}
                      value={scope}
                      label={t(name)}
                      description={t(words)}
                      {...(scope === firstScope ? { 'data-path': 'scopes' } : {})}
                    />
                  ))}
                </Stack>
              ))}
            </Grid>
          </Checkbox.Group>
          <Input.Wrapper
            label={t('Expires')}
            labelElement="div"
            description={
              values.expiresInDays === null
                ? t('It works until it is revoked.')
                : t('On {{date}}', { date: formatDate(addDays(today(now), values.expiresInDays)) })
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data-path="expiresInDays"
            error={form.errors['expiresInDays']}
          >
            <Segments
              wide
              label={t('Expires')}
              value={String(values.expiresInDays)}
              onChange={(chosen) => form.setFieldValue('expiresInDays', chosen === 'null' ? null : Number(chosen))}
              data={lives.map((life) => ({
                value: String(life),
                label: life === null ? t('Never') : t('{{count}} days', { count: life }),
              }))}
            />
          </Input.Wrapper>
          <PasswordField label={t('Current password')} autoComplete="current-password" {...field('currentPassword')} />
        </>
      )}
    </CallForm>
  )
}
