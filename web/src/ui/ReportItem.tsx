import { reportSourceOf } from '@gridmast/contract/people/report-sources.ts'
import { IconMail } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { MenuItem } from './Menu.tsx'

type Props = { address: string; hasIcon?: boolean }

const Item = ({ address, hasIcon = false }: Props) => {
  const router = useRouter()
  if (!useCan('report.edit')) return null
  return (
    <MenuItem
      icon={hasIcon && <IconMail />}
      onClick={() => void router.navigate({ to: '/reports', search: { add: address } })}
    >
      {t('Send by email')}
    </MenuItem>
  )
}

/** Item of a menu of exports; empty for an address that cannot be sent. */
const ReportItem = (props: Props) => reportSourceOf(props.address) && <Item {...props} />
export default ReportItem
