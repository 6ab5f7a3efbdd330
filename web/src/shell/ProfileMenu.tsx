import { UnstyledButton } from '@mantine/core'
import { roleNames } from '@gridmast/contract/roles.ts'
import { IconLock, IconLogout, IconLogout2, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { currentLanguage, t, translateText } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import type { SavedAccount } from '#lib/session.ts'
import { createStore } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { Avatar, initialsOf } from '#ui/Avatar.tsx'
import { Popover } from '#ui/Popover.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useAfterFirstScreen } from './after-first-screen.ts'
import { useCloseOnLeave } from './current-screen.ts'
import { type Address, flat, type NavEntry, useNav } from './nav.ts'
import classes from './ProfileMenu.module.css'
import { RemoveAccount } from '#people/sign-in/saved-account.tsx'
import { useLogout, useLogoutAll } from './useLogout.ts'
import { Waiting } from '#ui/Loaded.tsx'

const Preferences = part(async () => (await import('./Preferences.tsx')).Preferences)
const SwitchUser = part(async () => (await import('./SwitchUser.tsx')).SwitchUser)
const PasswordDialog = part(async () => (await import('./PasswordDialog.tsx')).PasswordDialog)

const menuOpened = createStore(false)
/** The menu stays open when a change of language mounts it anew. */
const useOpenInNextLanguage = (menu: RefObject<HTMLDivElement | null>) =>
  useEffect(() => {
    const button = menu.current?.previousElementSibling
    if (menuOpened.get() && button instanceof HTMLElement)
      queueMicrotask(() => menu.current?.showPopover({ source: button }))
    const language = currentLanguage()
    return () => {
      if (currentLanguage() === language) menuOpened.set(false)
    }
  }, [menu])

export const ProfileMenu = () => {
  const user = useUser()
  const menu = useRef<HTMLDivElement>(null)
  const [isSwitching, setIsSwitching] = useState(false)
  const [accountToRemove, setAccountToRemove] = useState<SavedAccount | null>(null)
  const [isPasswordOpen, setPasswordOpen] = useState(false)
  const initials = initialsOf(user.name)
  const close = () => menu.current?.hidePopover()
  useCloseOnLeave(() => {
    close()
    setAccountToRemove(null)
    setPasswordOpen(false)
  })
  useOpenInNextLanguage(menu)
  const prepared = useAfterFirstScreen()
  return (
    <>
      <Popover
        ref={menu}
        label={t('Profile menu')}
        prepared={prepared}
        className={classes.menu}
        onChange={(opened) => {
          menuOpened.set(opened)
          if (!opened) setIsSwitching(false)
        }}
        target={
          <UnstyledButton className={`${classes.target} gm-touch`} aria-label={`${initials}, ${t('Profile menu')}`}>
            <Avatar image={user.profileImage} initials={initials} size={28} />
          </UnstyledButton>
        }
      >
        {isSwitching ? (
          <Suspense fallback={<Waiting height={120} />}>
            <SwitchUser
              onBack={() => setIsSwitching(false)}
              onRemove={(account) => (close(), setAccountToRemove(account))}
            />
          </Suspense>
        ) : (
          <Entries
            onChoose={close}
            onPassword={() => (close(), setPasswordOpen(true))}
            onSwitch={() => setIsSwitching(true)}
          />
        )}
      </Popover>
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
