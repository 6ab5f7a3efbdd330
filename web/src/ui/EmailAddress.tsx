import { t } from '#lib/i18n.ts'
import { Cut } from './DataTable.tsx'
import { StatusDot } from './Tag.tsx'

const cutAt = 48

/** May wrap before its domain. */
const Address = ({ email }: { email: string }) => {
  const [name, domain] = email.split('@')
  if (email.length > cutAt || domain === undefined) return <Cut text={email} at={cutAt} />
  return (
    <>
      {name}
      <wbr />@{domain}
    </>
  )
}

/** An unconfirmed address receives no mail yet. */
export const EmailAddress = ({ email, unconfirmed = false }: { email: string; unconfirmed?: boolean | undefined }) => {
  if (!unconfirmed) return <Address email={email} />
  return (
    <span
      title={t('The owner must confirm the address with the link in the email. No other email is sent until then.')}
    >
      <Address email={email} /> · <StatusDot status="off" /> <span>{t('Not confirmed')}</span>
    </span>
  )
}
