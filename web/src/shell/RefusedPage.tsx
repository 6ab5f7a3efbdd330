import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { IconFileOff, IconLicenseOff, IconLock, IconToggleLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import type { Verdict } from './gate.ts'
import { useNav } from './nav-context.ts'
import { Notice } from './Notice.tsx'

export type Refused = Extract<Verdict, `${'not' | 'license'} ${string}`>

const pages = {
  'not authorized': { sentence: m.notAuthorized, icon: IconLock },
  'not enabled': { sentence: 'This feature is not enabled for your company', icon: IconToggleLeft },
  'license not active': { sentence: m.licenseNotActive, icon: IconLicenseOff },
  'license not found': { sentence: m.licenseNotFound, icon: IconFileOff },
} as const

/** Names a contact: the administrator, or for an administrator the operator. */
export const RefusedPage = ({ reason }: { reason: Refused }) => {
  const { home } = useNav()
  const { email, userRole, customerId } = useUser()
  const { primaryContactEmail } = customerId.address
  const isAdministrator = userRole === 'sudoer' || email === primaryContactEmail
  const { sentence, icon: Icon } = pages[reason]
  return (
    <Notice
      icon={<Icon size={28} stroke={1.5} aria-hidden />}
      title={t(sentence)}
      actions={
        home && (
          <Button renderRoot={(props) => <Link {...home} {...props} />} variant="default">
            {t('Home')}
          </Button>
        )
      }
    >
      {isAdministrator
        ? t('Your operator decides what your company has. Ask your operator.')
        : t('Ask your company’s administrator for access.')}
      {primaryContactEmail && !isAdministrator && (
        <>
          {' '}
          <a className="gm-link" href={`mailto:${primaryContactEmail}`}>
            {primaryContactEmail}
          </a>
        </>
      )}
    </Notice>
  )
}
