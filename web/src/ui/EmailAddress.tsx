import { t } from '#lib/i18n.ts'
import { Cut } from './DataTable.tsx'
import { StatusDot } from './Tag.tsx'

const cutAt = 48

/** An unconfirmed address receives no mail yet. */
export const EmailAddress = ({ email, unconfirmed = false }: { email: string; unconfirmed?: boolean | undefined }) => {
  if (!unconfirmed) return <Cut text={email} at={cutAt} />
  return (
    <span title={t('The owner must confirm the address with the link in the email. Nothing else is sent before.')}>
      <Cut text={email} at={cutAt} /> · <StatusDot status="off" /> <span>{t('Not confirmed')}</span>
    </span>
  )
}
