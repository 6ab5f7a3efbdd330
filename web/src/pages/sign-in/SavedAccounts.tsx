import { Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type SavedAccount, accountsStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { initialsOf } from '#shell/initials.ts'
import classes from './SignIn.module.css'

type Props = { chosen: string; onChoose: (account: SavedAccount) => void; onOther: () => void }

/** Accounts that this device remembers; the tooltip shows the customer and the email. */
export const SavedAccounts = ({ chosen, onChoose, onOther }: Props) => {
  const { t } = useTranslation()
  const accounts = useStore(accountsStore)
  if (accounts.length === 0) return null
  return (
    <div role="group" aria-labelledby="saved-accounts" className={classes.saved}>
      <span id="saved-accounts" className={classes.savedLabel}>
        {t('Saved accounts')}
      </span>
      <div className={classes.avatars}>
        {accounts.map((account) => (
          <Tooltip
            key={account.id}
            withArrow
            label={
              <>
                <b>{account.customerName}</b>
                <br />
                {account.email}
              </>
            }
          >
            <button
              type="button"
              aria-label={`${account.name}, ${account.customerName}, ${account.email}`}
              aria-pressed={chosen === account.email}
              onClick={() => onChoose(account)}
            >
              <span>{account.profileImage ? <img src={account.profileImage} alt="" /> : initialsOf(account.name)}</span>
              {account.name.split(/[\s@]/)[0]}
            </button>
          </Tooltip>
        ))}
        <button type="button" onClick={onOther}>
          <span data-other>
            <IconPlus size={18} stroke={1.6} aria-hidden />
          </span>
          {t('Other')}
        </button>
      </div>
    </div>
  )
}
