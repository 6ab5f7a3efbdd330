import { part } from '#lib/part.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { formatDate } from '@gridmast/contract/time.ts'
import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { removeSecondFactor } from '@gridmast/contract/people/profile.ts'
import { IconDeviceTv, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { Suspense, use, useState } from 'react'
import { t, withWords } from '#lib/i18n.ts'
import { useRenewUser, useUser } from '#lib/user.tsx'
import { Section, Sections } from '#ui/Page.tsx'
import { UnsavedGuard } from '#lib/unsaved.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Note, Row, Text } from '#ui/Layout.tsx'
import { UpdatePasswordForm } from './UpdatePasswordForm.tsx'
import { SessionList } from './SessionList.tsx'

const SecondFactorSetup = part(async () => (await import('./SecondFactorSetup.tsx')).SecondFactorSetup)
const WallDialog = part(async () => (await withWords(import('./WallDialog.tsx'), 'wall', 'energy')).WallDialog)

const Security = () => {
  const [isWall, setWall] = useState<boolean | null>(null)
  const { passwordUpdatedOn } = useUser()
  return (
    <Sections>
      <Section
        title={t('Password')}
        words={
          <>
            {t('Changed {{date}}.', { date: formatDate(Date.parse(passwordUpdatedOn)) })}{' '}
            {t('A new password ends your other sessions.')}
          </>
        }
      >
        <div style={{ maxWidth: 420 }}>
          <UpdatePasswordForm />
        </div>
      </Section>
      <Section
        title={t('Two-step sign-in')}
        words={t('A code from an authenticator app protects you if your password is stolen.')}
      >
        <SecondFactorPanel />
      </Section>
      <Section
        title={t('Sessions')}
        words={t('Where you are signed in. Sign out any device you do not recognise.')}
        bare
      >
        <SessionList />
      </Section>
      <Section title={t('Wall screen')} words={t('Live figures of your company, for a screen in the control room.')}>
        <Row>
          <Button variant="default" leftSection={<IconDeviceTv aria-hidden />} onClick={() => setWall(true)}>
            {t('Show on a wall screen')}
          </Button>
        </Row>
        {isWall !== null && (
          <Suspense>
            <WallDialog opened={isWall} onClose={() => setWall(false)} />
          </Suspense>
        )}
      </Section>
    </Sections>
  )
}

const Cancel = ({ onCancel }: { onCancel: () => void }) => {
  const { leave } = use(UnsavedGuard)
  return (
    <Button variant="default" onClick={() => leave(onCancel)}>
      {t('Cancel')}
    </Button>
  )
}

export const SecondFactorPanel = () => {
  const { secondFactor: isOn, customerId: customer } = useUser()
  const renewUser = useRenewUser()
  const [opened, setOpened] = useState<'set up' | 'remove' | null>(null)
  const close = () => setOpened(null)
  const show = (secondFactor: boolean) => {
    renewUser((user) => ({ ...user, secondFactor }))
    close()
  }
  return (
    <Row gap={12}>
      {isOn ? (
        <IconShieldCheck size={20} stroke={1.6} color="var(--gm-up)" aria-hidden />
      ) : (
        <IconShieldOff size={20} stroke={1.6} aria-hidden />
      )}
      <div style={{ flex: '1 1 200px', minWidth: 0 }}>
        <Text as="b" weight="medium">
          {isOn ? t('Two-step sign-in is on') : t('Two-step sign-in is off')}
        </Text>
        <Note>
          {isOn
            ? t('You sign in with your password and a code from your authenticator app.')
            : t('Your password alone is enough to sign in.')}
          {customer.secondFactorRequired && ` ${t(m.secondFactorKept)}.`}
        </Note>
      </div>
      <Row gap={4} nowrap align="stretch">
        <Button variant="default" onClick={() => setOpened('set up')}>
          {isOn ? t('Set up again') : t('Set up')}
        </Button>
        {isOn && !customer.secondFactorRequired && (
          <Button variant="subtle" onClick={() => setOpened('remove')}>
            {t('Turn off')}
          </Button>
        )}
      </Row>
      {/* Closes by its own buttons only: the recovery codes are shown once. */}
      <Dialog
        opened={opened === 'set up'}
        onClose={close}
        title={t('Set up two-step sign-in')}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <SecondFactorSetup actions={<Cancel onCancel={close} />} onDone={() => show(true)} />
      </Dialog>
      <CallFormDialog
        title={t('Turn off two-step sign-in?')}
        submit={t('Turn off')}
        color="red"
        size={440}
        gap={14}
        call={removeSecondFactor}
        initial={opened === 'remove' ? { currentPassword: '' } : null}
        onDone={() => show(false)}
        onClose={close}
      >
        {({ field }) => (
          <>
            <Note ink="ink2">
              {t('Your password alone is then enough to sign in. Your recovery codes stop working.')}
            </Note>
            <PasswordField
              label={t('Current password')}
              autoComplete="current-password"
              data-autofocus
              {...field('currentPassword')}
            />
          </>
        )}
      </CallFormDialog>
    </Row>
  )
}

export default Security
