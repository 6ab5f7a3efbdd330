import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { IconFileOff, IconLicenseOff, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import type { Verdict } from './gate.ts'
import { useNav } from './nav-context.ts'
import { Notice } from './Notice.tsx'

export type Refused = Extract<Verdict, `${'not' | 'license'} ${string}`>

const pages = {
  'not authorized': { sentence: m.notAuthorized, icon: IconLock },
  'license not active': { sentence: m.licenseNotActive, icon: IconLicenseOff },
  'license not found': { sentence: m.licenseNotFound, icon: IconFileOff },
} as const

/** A page that this person may not open, and whom to ask. */
export const RefusedPage = ({ reason }: { reason: Refused }) => {
  const { t } = useTranslation()
  const { home } = useNav()
  const { primaryContactEmail } = useUser().customerId.address
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
      {t('Ask your company’s administrator for access.')}
      {primaryContactEmail && (
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
