import { Button, TextInput } from '@mantine/core'
import { addWall } from '@gridmast/contract/people/auth.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { CallForm } from '#ui/CallForm.tsx'
import { Note, Row, Stack } from '#ui/Layout.tsx'
import { Code, QrCode, SecretDialog } from '#ui/OneTimeSecret.tsx'

export const WallDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <SecretDialog<string>
    opened={opened}
    title={t('Show on a wall screen')}
    secretTitle={t('Link of the wall screen')}
    onClose={onClose}
    renderForm={(onSecret) => (
      <CallForm
        label={t('Show on a wall screen')}
        submit={t('Create link')}
        call={addWall}
        initial={{ name: '' }}
        onCancel={onClose}
        onDone={({ id }) => onSecret(`${window.location.origin}/auth/wall/${id}`)}
      >
        {({ field }) => (
          <>
            <Note ink="ink2">
              {t(
                'The screen shows live figures with your rights and changes nothing. It is signed out after {{days}} days, after {{idle}} days without use, with a new password, or when you sign it out here.',
                { days: limits.wallDays, idle: limits.wallIdleDays },
              )}
            </Note>
            <TextInput
              label={t('Name of the screen')}
              description={t('Where it hangs, such as in the control room.')}
              autoComplete="off"
              data-autofocus
              {...field('name')}
            />
            <Note>
              {t('To use this device with your own session:')}{' '}
              <Link to="/wall" className="gm-link">
                {t('Open here')}
              </Link>
            </Note>
          </>
        )}
      </CallForm>
    )}
    renderSecret={(link) => (
      <Stack gap={14}>
        <Note ink="ink2">{t('Open this link on the device of the screen. It works once, within ten minutes.')}</Note>
        <Code code={link} label={t('Link of the wall screen')} />
        <QrCode text={link} label={t('QR code of the link')} />
        <Row justify="end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Row>
      </Stack>
    )}
  />
)
