import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconCheck, IconLogout2, IconUserPlus, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { type SavedAccount, accountsStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { Avatar, initialsOf } from '#ui/Avatar.tsx'
import classes from './ProfileMenu.module.css'
import { useLogoutAll } from './useLogout.ts'
import { useSwitchAccount } from '#people/sign-in/saved-account.tsx'

type Props = { onBack: () => void; onRemove: (account: SavedAccount) => void }

export const SwitchUser = ({ onBack, onRemove }: Props) => {
  const user = useUser()
  const navigate = useNavigate()
  const others = useStore(accountsStore).filter(({ id }) => id !== user._id)
  const switchAccount = useSwitchAccount()
  const logoutAll = useLogoutAll()
  return (
    <>
      <UnstyledButton className={classes.item} onClick={onBack} data-autofocus>
        <IconArrowLeft size={16} stroke={1.8} aria-hidden />
        <b>{t('Switch User')}</b>
      </UnstyledButton>
      <hr />
      <ul className={classes.accounts} aria-label={t('Accounts')}>
        <li>
          <div className={classes.account} aria-current="true">
            <Avatar image={user.profileImage} initials={initialsOf(user.name)} size={32} />
            <span className={classes.names}>
              <b>{user.customerId.name}</b>
              <span>{user.email}</span>
            </span>
            <IconCheck size={16} stroke={1.8} role="img" aria-label={t('Current account')} />
          </div>
        </li>
        {others.map((account) => (
          <li key={account.id}>
            <UnstyledButton className={classes.account} onClick={() => switchAccount(account)}>
              <Avatar image={account.profileImage} initials={initialsOf(account.name)} size={32} />
              <span className={classes.names}>
                <b>{account.customerName}</b>
                <span>{account.email}</span>
              </span>
            </UnstyledButton>
            <ActionIcon aria-label={t('Remove {{email}}', { email: account.email })} onClick={() => onRemove(account)}>
              <IconX size={16} stroke={1.8} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <hr />
      <UnstyledButton className={classes.item} onClick={() => void navigate({ to: '/auth/login' })}>
        <IconUserPlus size={16} stroke={1.8} aria-hidden />
        {t('Add Account')}
      </UnstyledButton>
      <UnstyledButton className={classes.item} onClick={logoutAll}>
        <IconLogout2 size={16} stroke={1.8} aria-hidden />
        {t('Logout All Accounts')}
      </UnstyledButton>
    </>
  )
}
