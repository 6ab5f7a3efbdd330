import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Code, OneTimeSecret, SecretDialog } from '#ui/OneTimeSecret.tsx'
import { curlOf } from './example.ts'
import { NewKeyForm } from './NewKeyForm.tsx'

type Made = { token: string; scopes: string[] }

export const NewKeyDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const { customerId } = useUser()
  return (
    <SecretDialog<Made>
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
