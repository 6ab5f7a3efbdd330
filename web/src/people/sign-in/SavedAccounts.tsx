import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { type SavedAccount, accountsStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { initialsOf } from '#ui/Avatar.tsx'
import { RemoveAccount } from './saved-account.tsx'
import classes from './sign-in.module.css'
import { Row, Text, TextButton } from '#ui/Layout.tsx'

type Props = { chosen: string; onChoose: (account: SavedAccount) => void; onOther: () => void }

/** Accounts that this device remembers; the tooltip shows the customer and the email. */
export const SavedAccounts = ({ chosen, onChoose, onOther }: Props) => {
  const accounts = useStore(accountsStore)
  const [removing, setRemoving] = useState<SavedAccount | null>(null)
  if (accounts.length === 0) return null
  return (
    <Text as="div" below={28}>
      <Text as="div" id="saved-accounts" size="label" weight="medium" ink="ink2" below={10}>
        {t('Saved accounts')}
      </Text>
      <Row as="ul" gap={16} align="stretch" className={classes.avatars} aria-labelledby="saved-accounts">
        {accounts.map((account) => (
          <li key={account.id}>
            <TextButton
              data-tip={`${account.customerName}\n${account.email}`}
              className={classes.pick}
              aria-label={`${account.name}, ${account.customerName}, ${account.email}`}
              aria-pressed={chosen === account.email}
              onClick={() => onChoose(account)}
            >
              <span>{account.profileImage ? <img src={account.profileImage} alt="" /> : initialsOf(account.name)}</span>
              {account.name.split(/[\s@]/)[0]}
            </TextButton>
            <TextButton
              className={classes.remove}
              aria-label={t('Remove {{email}}', { email: account.email })}
              onClick={() => setRemoving(account)}
            >
              <IconX size={14} stroke={2} aria-hidden />
            </TextButton>
          </li>
        ))}
        <li>
          <TextButton className={classes.pick} onClick={onOther}>
            <span data-other>
              <IconPlus size={18} stroke={1.6} aria-hidden />
            </span>
            {t('Other')}
          </TextButton>
        </li>
      </Row>
      <RemoveAccount account={removing} onClose={() => setRemoving(null)} />
    </Text>
  )
}
