import { Button, TextInput } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { addWall, changeWall, type WallShow } from '@gridmast/contract/people/wall.ts'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { CallForm, CallFormDialog } from '#ui/CallForm.tsx'
import { Note, Row, Stack } from '#ui/Layout.tsx'
import { Code, QrCode, SecretDialog } from '#ui/OneTimeSecret.tsx'
import { type CardValues, toCardValues, toWallShow, WallCardFields } from './WallCardFields.tsx'

export const WallDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const user = useUser()
  return (
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
          initial={{ name: '', show: toCardValues(user, null) }}
          toBody={({ name, show }: { name: string; show: CardValues }) => ({ name, show: toWallShow(user, show) })}
          onCancel={onClose}
          onDone={({ id }) => onSecret(`${window.location.origin}/auth/wall/${id}`)}
        >
          {({ field, values, form }) => (
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
              <WallCardFields value={values.show} onChange={(show) => form.setFieldValue('show', show)} />
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
}

type Changing = { _id: string; name: string; show: WallShow | null }

/** Cards of a wall screen that is signed in; null closes the dialog. */
export const WallCardsDialog = ({ wall, onClose }: { wall: Changing | null; onClose: () => void }) => {
  const user = useUser()
  return (
    <CallFormDialog
      title={wall ? t('Cards of {{name}}', { name: wall.name }) : ''}
      submit={t('Save cards')}
      call={changeWall}
      request={{ params: { sessionId: wall?._id } }}
      initial={wall && { show: toCardValues(user, wall.show) }}
      toBody={({ show }: { show: CardValues }) => ({ show: toWallShow(user, show) })}
      onClose={onClose}
    >
      {({ values, form }) => (
        <WallCardFields value={values.show} onChange={(show) => form.setFieldValue('show', show)} />
      )}
    </CallFormDialog>
  )
}
