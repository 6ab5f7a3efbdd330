import { Drawer, Popover, Skeleton, UnstyledButton } from '@mantine/core'
import { roleNames } from '@gridmast/contract/roles.ts'
import { IconLock, IconLogout, IconLogout2, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { currentLanguage, t, translateText } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import type { SavedAccount } from '#lib/session.ts'
import { createStore, useStore } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { Avatar, initialsOf } from '#ui/Avatar.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useCloseOnLeave } from './current-screen.ts'
import { type Address, flat, type NavEntry, useNav } from './nav.ts'
import classes from './ProfileMenu.module.css'
import { RemoveAccount } from '#people/sign-in/saved-account.tsx'
import { useLogout, useLogoutAll } from './useLogout.ts'

const Preferences = lazy(async () => ({ default: (await import('./Preferences.tsx')).Preferences }))
const SwitchUser = lazy(async () => ({ default: (await import('./SwitchUser.tsx')).SwitchUser }))
const PasswordDialog = lazy(async () => ({ default: (await import('./PasswordDialog.tsx')).PasswordDialog }))

const menuOpened = createStore(false)
/** The menu stays open when a change of language remounts it. */
const closeOnUnmount = () => {
  const language = currentLanguage()
  return () => {
    if (currentLanguage() === language) menuOpened.set(false)
  }
}

export const ProfileMenu = () => {
  const user = useUser()
  const opened = useStore(menuOpened)
  const setOpened = menuOpened.set
  const [isSwitching, setIsSwitching] = useState(false)
  const [accountToRemove, setAccountToRemove] = useState<SavedAccount | null>(null)
  const [isPasswordOpen, setPasswordOpen] = useState(false)
  const initials = initialsOf(user.name)
  const close = () => setOpened(false)
  useEffect(closeOnUnmount, [])
  useCloseOnLeave(() => {
    close()
    setAccountToRemove(null)
    setPasswordOpen(false)
  })
  const phone = usePhone()
  const avatarButton = (
    <UnstyledButton
      className={classes.target}
      aria-label={`${initials}, ${t('Profile menu')}`}
      onClick={() => setOpened(!opened)}
    >
      <Avatar image={user.profileImage} initials={initials} size={28} />
    </UnstyledButton>
  )
  const content = isSwitching ? (
    <Suspense fallback={<Skeleton height={120} />}>
      <SwitchUser onBack={() => setIsSwitching(false)} onRemove={(account) => (close(), setAccountToRemove(account))} />
    </Suspense>
  ) : (
    <Entries
      onChoose={close}
      onPassword={() => (close(), setPasswordOpen(true))}
      onSwitch={() => setIsSwitching(true)}
    />
  )
  return (
    <>
      {phone ? (
        <>
          {avatarButton}
          <Drawer
            opened={opened}
            onClose={close}
            onExitTransitionEnd={() => setIsSwitching(false)}
            position="bottom"
            size="auto"
            padding={6}
            title={t('Profile menu')}
            classNames={{ content: classes.sheet ?? '', body: classes.menu ?? '', header: classes.sheetHead ?? '' }}
            closeButtonProps={{ 'aria-label': t('Close') }}
          >
            {content}
          </Drawer>
        </>
      ) : (
        <Popover
          position="bottom-end"
          width={288}
          trapFocus
          returnFocus
          opened={opened}
          onChange={setOpened}
          onExitTransitionEnd={() => setIsSwitching(false)}
        >
          <Popover.Target>{avatarButton}</Popover.Target>
          <Popover.Dropdown className={classes.menu ?? ''} aria-label={t('Profile menu')}>
            {content}
          </Popover.Dropdown>
        </Popover>
      )}
      <RemoveAccount account={accountToRemove} onClose={() => setAccountToRemove(null)} />
      {isPasswordOpen && (
        <Suspense fallback={null}>
          <PasswordDialog opened onClose={() => setPasswordOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const profileInsights: readonly Address['to'][] = ['/insights/supportNotes', '/insights/versionhistory']

type Choices = { onChoose: () => void; onPassword: () => void; onSwitch: () => void }

const Entries = ({ onChoose, onPassword, onSwitch }: Choices) => {
  const user = useUser()
  const { sidebar, profile } = useNav()
  const logout = useLogout()
  const logoutAll = useLogoutAll()
  const [edit, ...rest] = profile
  const system = rest.filter(({ address }) => address.to === '/systemOverview')
  const account = rest.filter((entry) => !system.includes(entry))
  const insights = flat(sidebar).filter(({ address }) => profileInsights.includes(address.to))
  const link = (entry: NavEntry) => (
    <Link key={entry.key} {...entry.address} className={classes.item} onClick={onChoose}>
      <entry.icon size={16} stroke={1.8} aria-hidden />
      {translateText(entry.title)}
    </Link>
  )
  return (
    <>
      <div className={classes.who}>
        <b>{user.name}</b>
        <span>{user.email}</span>
        <span>{user.customerId.name}</span>
        <Tag>{t(roleNames[user.userRole])}</Tag>
      </div>
      <hr />
      {edit && link(edit)}
      <UnstyledButton className={classes.item} onClick={onPassword}>
        <IconLock size={16} stroke={1.8} aria-hidden />
        {t('Update Password')}
      </UnstyledButton>
      {account.map(link)}
      <hr />
      {insights.map(link)}
      {system.map(link)}
      <hr />
      <div className={classes.preferences}>
        <Suspense fallback={null}>
          <Preferences onChoose={onChoose} />
        </Suspense>
      </div>
      <hr />
      <UnstyledButton className={classes.item} onClick={onSwitch}>
        <IconUsersGroup size={16} stroke={1.8} aria-hidden />
        {t('Switch User')}
      </UnstyledButton>
      <UnstyledButton className={classes.item} onClick={logoutAll}>
        <IconLogout2 size={16} stroke={1.8} aria-hidden />
        {t('Logout All Accounts')}
      </UnstyledButton>
      <UnstyledButton className={classes.item} onClick={logout}>
        <IconLogout size={16} stroke={1.8} aria-hidden />
        {t('Logout')}
      </UnstyledButton>
    </>
  )
}
